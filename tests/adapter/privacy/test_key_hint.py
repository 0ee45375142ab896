from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.privacy.secret import HIDDEN, Redactor, key_hint

KEYS = st.text(string.ascii_letters + string.digits + "-_", min_size=1, max_size=80)


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("sk-ant-0123456789abcdef9f3c", "sk-a…9f3c"),
        ("  AIzaSy0123456789  ", "AIza…6789"),
        ("0123456789abcde", HIDDEN),
        ("", ""),
        ("  ", ""),
        ("\x1b[2Jabcdefghijklmnop", HIDDEN),
    ],
)
def test_a_hint_is_both_ends_of_a_long_key(key: str, hint: str) -> None:
    assert key_hint(key) == hint


@given(KEYS)
def test_a_hint_reveals_at_most_four_characters_of_either_end_and_nothing_of_short_keys(key: str) -> None:
    hint = key_hint(key)

    assert hint == HIDDEN if len(key) < 16 else hint == f"{key[:4]}…{key[-4:]}"


@given(KEYS)
def test_redaction_keeps_a_hint_also_where_it_knows_the_key(key: str) -> None:
    hint = key_hint(key)

    assert Redactor().redact(f"Disabled {hint} (claude-api-key[5]).") == f"Disabled {hint} (claude-api-key[5])."
    if len(key) >= 16:
        assert Redactor([key]).redact(hint) == hint


@pytest.mark.parametrize(
    "name",
    [
        "codex-3f2b8a1c-9d4e-4f6a-8b7c-0123456789ab.json",
        "xai-3f2b8a1c-9d4e-4f6a-8b7c-0123456789ab.json",
        "antigravity_3f2b8a1c-9d4e-4f6a-8b7c-0123456789ab-team.json",
    ],
)
def test_a_file_named_by_a_uuid_keeps_its_name(name: str) -> None:
    assert Redactor().redact(f"The file {name} is disabled.") == f"The file {name} is disabled."


@pytest.mark.parametrize(
    "text",
    [
        "codex-3f2b8a1c-9d4e-4f6a-8b7c-0123456789ab",
        "key1234-3f2b8a1c-9d4e-4f6a-8b7c-0123456789ab.json",
        "xai-3f2b8a1c9d4e4f6a8b7c0123456789ab.json",
    ],
)
def test_what_only_resembles_such_a_name_is_hidden(text: str) -> None:
    assert HIDDEN in Redactor().redact(text)
