"""A list is changed by difference: entries are recognised, and only what differs is edited."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.configuration.applying import apply
from gateway.internal.configuration.difference import Listed, list_edits, matched
from gateway.internal.configuration.document import parse_document
from gateway.internal.configuration.edits import Edit
from gateway.internal.configuration.fields import ENTRIES
from gateway.internal.configuration.sections import Section
from gateway.internal.configuration.shapes import read_json, read_yaml

CLAUDE = ENTRIES[Section.CLAUDE]
TEXT = """claude-api-key:
  - api-key: k1 # one
    base-url: ""
    my-own: 7
    models:
      - name: m1 # model
        alias: a1
        my-own: 8
  - api-key: "k2"
    prefix: " /team/ "
    excluded-models: [Opus-*] # dear
"""
RAW: list[Any] = parse_document(TEXT)["claude-api-key"]


def edits(goal: list[Any], hidden: frozenset[int] = frozenset()) -> list[Edit]:
    normal = [read_json(CLAUDE, item) for item in goal]
    return list_edits(Listed(("claude-api-key",), CLAUDE, RAW, hidden), normal)


def edited(goal: list[Any], hidden: frozenset[int] = frozenset()) -> str:
    return apply(TEXT, edits(goal, hidden))


ONE = {"api-key": "k1", "models": [{"name": "m1", "alias": "a1"}]}
TWO = {"api-key": "k2", "prefix": "team", "excluded-models": ["opus-*"]}


def test_the_same_entries_in_another_spelling_are_no_edit() -> None:
    assert edits([ONE | {"proxy-url": "", "weight": None}, TWO]) == []


def test_a_field_changes_where_it_stands() -> None:
    text = edited([ONE | {"base-url": "http://b"}, TWO | {"prefix": "p"}])
    assert text == TEXT.replace('base-url: ""', 'base-url: "http://b"').replace('" /team/ "', '"p"')


def test_a_field_that_says_nothing_any_more_goes_and_one_that_is_always_there_is_emptied() -> None:
    assert edited([ONE, {"api-key": "k2", "excluded-models": ["opus-*"]}]) == TEXT.replace(
        '    prefix: " /team/ "\n', ""
    )
    assert "models: []" in edited([{"api-key": "k1"}, TWO])


def test_lists_within_an_entry_are_changed_by_difference_too() -> None:
    models = [{"name": "m0", "alias": "a0"}, {"name": "m1", "alias": "changed"}]
    text = edited([ONE | {"models": models}, TWO])
    assert (
        "      - name: m0\n        alias: a0\n      - name: m1 # model\n        alias: changed\n        my-own: 8\n"
        in text
    )


def test_hidden_entries_stay_where_they_are() -> None:
    text = edited([{"api-key": "k3"}], frozenset({0}))
    assert [entry["api-key"] for entry in parse_document(text)["claude-api-key"]] == ["k1", "k3"]


def test_an_entry_is_recognised_by_place_then_by_all_of_it_then_by_key_and_address_then_by_key() -> None:
    now = [{"api-key": "k", "base-url": "a"}, {"api-key": "k", "base-url": "b"}, {"api-key": "k"}]
    assert matched(now, [{"api-key": "k"}, {"api-key": "k", "base-url": "b", "prefix": "p"}]) == [2, 1]
    assert matched(now, [{"api-key": "k", "base-url": "c"}, {"api-key": "n"}]) == [0, None]
    assert matched(["x", "y", "x"], ["x", "x", "x", "y"]) == [0, None, 2, 1]


@given(
    st.lists(
        st.fixed_dictionaries(
            {"api-key": st.sampled_from(["k1", "k2", "k3"])},
            optional={
                "base-url": st.sampled_from(["", "http://b"]),
                "prefix": st.sampled_from(["", "team", "p"]),
                "weight": st.sampled_from([None, 0, 3]),
                "headers": st.dictionaries(st.sampled_from(["A", "B"]), st.sampled_from(["1", "2"]), max_size=2),
                "models": st.lists(st.sampled_from([{"name": "m1", "alias": "a1"}, {"name": "m2"}]), max_size=3),
                "excluded-models": st.lists(st.sampled_from(["opus-*", "*"]), max_size=2),
            },
        ),
        max_size=4,
    )
)
def test_any_goal_is_what_the_list_says_afterwards(goal: list[dict[str, Any]]) -> None:
    written = parse_document(edited(goal))["claude-api-key"]
    assert [read_yaml(CLAUDE, entry) for entry in written] == [read_json(CLAUDE, entry) for entry in goal]
