import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Before, Change, FileRef, Refused, Switch
from adapter.rules.switching import (
    drops_switch,
    excluded_models,
    is_off,
    last_wins,
    provider_switch,
    refusal,
    usable_keys,
)

PATTERNS = st.lists(st.sampled_from(["*", " * ", "claude-*", "gpt-4", "**", ""])).map(tuple)


@given(patterns=PATTERNS, disabled=st.booleans())
def test_what_is_written_makes_the_entry_as_asked(patterns: tuple[str, ...], disabled: bool) -> None:
    written = excluded_models(patterns, disabled=disabled)
    assert is_off(patterns if written is None else written) is disabled


@given(patterns=PATTERNS, disabled=st.booleans())
def test_the_patterns_of_the_operator_stay_in_their_order(patterns: tuple[str, ...], disabled: bool) -> None:
    written = excluded_models(patterns, disabled=disabled)
    others = [pattern for pattern in patterns if pattern.strip() != "*"]
    assert written is None or [pattern for pattern in written if pattern.strip() != "*"] == others


@given(patterns=PATTERNS)
def test_off_and_on_again_restores_the_patterns(patterns: tuple[str, ...]) -> None:
    off = excluded_models(patterns, disabled=True)
    assert off is None or excluded_models(off, disabled=False) == patterns


@pytest.mark.parametrize(
    ("patterns", "disabled", "written"),
    [
        ((), True, ("*",)),
        (("claude-*",), True, ("claude-*", "*")),
        (("*",), True, None),
        (("*",), False, ()),
        (("*", "claude-*", "*"), False, ("claude-*",)),
        ((), False, None),
    ],
)
def test_the_table_of_excluded_models(
    patterns: tuple[str, ...], disabled: bool, written: tuple[str, ...] | None
) -> None:
    assert excluded_models(patterns, disabled=disabled) == written


@pytest.mark.parametrize(
    ("keys", "count", "switch"),
    [
        ((), 0, Switch.PROVIDER),
        (("a",), 1, Switch.PROVIDER),
        (("a", "", "  "), 1, Switch.PROVIDER),
        (("a", "b"), 2, Switch.NONE),
        (("a", "a"), 2, Switch.NONE),
        (("a", "b", "c"), 3, Switch.NONE),
    ],
)
def test_a_provider_has_a_switch_only_below_two_keys(keys: tuple[str, ...], count: int, switch: Switch) -> None:
    assert usable_keys(keys) == count
    assert provider_switch("relay", keys)[0] is switch
    assert bool(provider_switch("relay", keys)[1]) is (switch is Switch.NONE)


def test_a_refusal_says_why_and_where_to_go_instead() -> None:
    refused = refusal(*provider_switch("relay", ["a", "b"]), ["a", "b"])
    assert refused is not None
    assert refused.code == "several_keys"
    assert "relay" in refused.text
    assert "provider settings" in refused.text


def test_an_account_without_any_switch_is_refused_with_its_own_reason() -> None:
    refused = refusal(Switch.NONE, "It lives in memory only.")
    assert refused == Refused("not_switchable", "It lives in memory only.")


@pytest.mark.parametrize("switch", [Switch.FILE, Switch.ENTRY, Switch.PROVIDER])
def test_an_account_with_a_switch_is_not_refused(switch: Switch) -> None:
    assert refusal(switch, "", ["a"]) is None


REFS = st.sampled_from([FileRef("a.json"), FileRef("b.json"), FileRef("c.json")])


@given(changes=st.lists(st.builds(Change, REFS, st.booleans())))
def test_in_a_reduced_batch_each_ref_occurs_once_with_its_last_change(changes: list[Change]) -> None:
    batch = last_wins(changes)
    assert len({change.ref for change in batch.changes}) == len(batch.changes)
    assert len(batch.places) == len(changes)
    for change, place in zip(changes, batch.places, strict=True):
        last = [other for other in changes if other.ref == change.ref][-1]
        assert batch.changes[place] == last


@given(patterns=PATTERNS, disabled=st.booleans())
def test_a_state_to_restore_is_taken_as_it_was(patterns: tuple[str, ...], disabled: bool) -> None:
    written = excluded_models(patterns, disabled=disabled)
    if written is not None:
        before = Before(disabled=not disabled, excluded_models=patterns)
        assert excluded_models(written, disabled=not disabled, restore=before) == patterns


def test_where_the_operator_has_changed_the_patterns_since_only_the_switch_is_restored() -> None:
    before = Before(disabled=True, excluded_models=("*", "old-*"))
    assert excluded_models(("old-*",), disabled=True, restore=before) == ("*", "old-*")
    assert excluded_models(("new-*",), disabled=True, restore=before) == ("new-*", "*")


@pytest.mark.parametrize(
    ("written", "disabled", "drops"),
    [(False, False, True), (None, False, True), (True, False, False), (False, True, False)],
)
def test_a_switch_goes_only_where_none_was_written_and_the_account_is_on(
    written: bool | None, disabled: bool, drops: bool
) -> None:
    restore = Before(disabled, written=written)
    assert drops_switch(Change(FileRef("a.json"), disabled, restore=restore)) is drops
    assert drops_switch(Change(FileRef("a.json"), disabled)) is False
