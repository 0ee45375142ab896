from typing import Any

from adapter.management.diagnostics.losses import losses
from adapter.port import Section


def _claude(**more: Any) -> dict[str, Any]:
    return {"api-key": "sk-1", "base-url": "http://127.0.0.1:9", **more}


def test_a_field_no_entry_of_the_gateway_shows_is_named() -> None:
    stored = {"claude-api-key": [_claude(weight=3, prefix="a", priority=0)]}
    (hint,) = losses(stored, {Section.CLAUDE: [_claude(prefix="a")]})
    assert hint.code == "dropped_fields"
    assert "claude-api-key[].weight:" in hint.text


def test_a_field_of_a_key_of_a_provider_is_named_with_its_place() -> None:
    stored = {"openai-compatibility": [{"name": "a", "api-key-entries": [{"api-key": "k", "weight": 2}]}]}
    shown = [{"name": "a", "api-key-entries": [{"api-key": "k"}]}]
    (hint,) = losses(stored, {Section.COMPAT: shown})
    assert "openai-compatibility[].api-key-entries[].weight" in hint.text


def test_a_list_of_keys_that_is_not_in_use_is_named_without_its_keys() -> None:
    stored = {"openai-compatibility": [{"name": "old", "api-keys": ["sk-legacy"]}]}
    (hint,) = losses(stored, {Section.COMPAT: [{"name": "old"}]})
    assert hint.code == "legacy_keys"
    assert "old" in hint.text
    assert "sk-legacy" not in hint.text


def test_keys_the_gateway_has_taken_over_are_not_lost() -> None:
    stored = {"openai-compatibility": [{"name": "old", "api-keys": ["sk-legacy"]}]}
    shown = [{"name": "old", "api-key-entries": [{"api-key": "sk-legacy"}]}]
    assert losses(stored, {Section.COMPAT: shown}) == ()


def test_entries_that_the_gateway_has_left_out_are_counted_without_their_keys() -> None:
    stored = {"claude-api-key": [_claude(), _claude(prefix="b")], "vertex-api-key": [_claude()]}
    (hint,) = losses(stored, {Section.CLAUDE: [_claude(prefix="b")], Section.VERTEX: [_claude()]})
    assert hint.code == "dropped_entries"
    assert "1 of the 2 entries of claude-api-key" in hint.text
    assert "vertex" not in hint.text
    assert "sk-1" not in hint.text


def test_a_field_of_an_entry_that_is_left_out_is_not_taken_for_an_unknown_one() -> None:
    twin = _claude(**{"proxy-url": "http://127.0.0.1:8"})
    (hint,) = losses({"claude-api-key": [_claude(), twin]}, {Section.CLAUDE: [_claude()]})
    assert hint.code == "dropped_entries"


def test_a_gateway_that_edits_the_text_of_its_file_drops_nothing() -> None:
    stored = {
        "claude-api-key": [_claude(weight=3), _claude()],
        "openai-compatibility": [{"name": "old", "api-keys": ["sk-legacy"]}],
    }
    shown = {Section.CLAUDE: [_claude()], Section.COMPAT: [{"name": "old"}]}
    hints = losses(stored, shown, rewrites=False)
    assert [advice.code for advice in hints] == ["dropped_fields", "legacy_keys", "dropped_entries"]
    assert not [advice for advice in hints if "drops" in advice.text]


def test_a_section_the_gateway_does_not_have_and_odd_values_lose_nothing() -> None:
    odd = {"claude-api-key": ["text", 3], "openai-compatibility": {"name": "a"}, "xai-api-key": [_claude(weight=1)]}
    assert losses(odd, {Section.CLAUDE: [], Section.COMPAT: []}) == ()
