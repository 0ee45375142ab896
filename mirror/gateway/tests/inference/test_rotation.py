"""Whose turn it is."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.inference.catalogue import Offer, Tiers
from gateway.internal.inference.families import COMPAT
from gateway.internal.inference.rotation import FILL_FIRST, WEIGHTED, Rotation
from gateway.internal.pool.credential import Credential, Origin

ROUND_ROBIN = "round-robin"


def offer(name: str, weight: int | None = None) -> Offer:
    credential = Credential(name, name, "p", name, Origin.CONFIGURATION, disabled=False, revision="", weight=weight)
    return Offer(credential, COMPAT, "m")


def tiers(*names: str) -> Tiers:
    return tuple(tuple(offer(each) for each in group) for group in names)


def turns(strategy: str, known: Tiers, count: int, out: str = "") -> str:
    rotation = Rotation()
    chosen = (rotation.choose(strategy, "m", known, lambda one: one.credential.id not in out) for _ in range(count))
    return "".join(one.credential.id if one else "-" for one in chosen)


@pytest.mark.parametrize(
    ("strategy", "known", "out", "expected"),
    [
        (ROUND_ROBIN, ["abc"], "", "abcabc"),
        (ROUND_ROBIN, ["abc"], "b", "acacac"),
        (FILL_FIRST, ["abc"], "", "aaaaaa"),
        (FILL_FIRST, ["abc"], "a", "bbbbbb"),
        (ROUND_ROBIN, ["ab", "cd"], "", "ababab"),
        (ROUND_ROBIN, ["ab", "cd"], "ab", "cdcdcd"),
        (ROUND_ROBIN, ["ab"], "ab", "------"),
        (FILL_FIRST, ["ab"], "ab", "------"),
        (WEIGHTED, ["ab"], "ab", "------"),
        ("unheard-of", ["ab"], "", "ababab"),
    ],
)
def test_turns(strategy: str, known: list[str], out: str, expected: str) -> None:
    assert turns(strategy, tiers(*known), 6, out) == expected


def test_each_model_has_its_own_turns() -> None:
    rotation, known = Rotation(), tiers("ab")
    chosen = [rotation.choose(ROUND_ROBIN, turn, known, lambda _: True) for turn in ("x", "y", "x", "y")]
    assert [one.credential.id for one in chosen if one] == ["a", "a", "b", "b"]


def test_turns_go_on_when_who_came_last_is_gone() -> None:
    rotation = Rotation()
    rotation.choose(ROUND_ROBIN, "m", tiers("abc"), lambda one: one.credential.id == "b")
    chosen = rotation.choose(ROUND_ROBIN, "m", tiers("ac"), lambda _: True)
    assert chosen is not None
    assert chosen.credential.id == "c"


def test_a_weight_of_nothing_gets_nothing_and_none_counts_as_one() -> None:
    known = ((offer("a", 0), offer("b", 3), offer("c")),)
    assert Counter(turns(WEIGHTED, known, 40)) == {"b": 30, "c": 10}


@given(st.lists(st.integers(0, 20), min_size=1, max_size=6))
def test_over_a_whole_turn_everybody_gets_exactly_his_weight(weights: list[int]) -> None:
    names = "abcdef"
    known = (tuple(offer(name, weight) for name, weight in zip(names, weights, strict=False)),)
    chosen = Counter(turns(WEIGHTED, known, sum(weights)))
    assert chosen == {name: weight for name, weight in zip(names, weights, strict=False) if weight}


@given(st.sets(st.sampled_from("abcdef"), min_size=1), st.sets(st.sampled_from("abcdef")))
def test_over_a_whole_turn_everybody_available_serves_once(present: set[str], out: set[str]) -> None:
    names = "".join(sorted(present))
    available = "".join(name for name in names if name not in out)
    assert turns(ROUND_ROBIN, tiers(names), len(available), "".join(out)) == available
