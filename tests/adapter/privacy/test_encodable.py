import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.privacy.encodable import writable

FULL = "\U0001f600"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("plain", "plain"), ("é€" + FULL, "é€" + FULL), ("a\ud83db", "a\ufffdb"), ("\udcff", "\ufffd")],
)
def test_halves_of_characters_are_replaced_and_nothing_else(text: str, expected: str) -> None:
    assert writable(text) == expected


@given(st.text(st.characters(codec=None)))
def test_whatever_comes_can_be_encoded(text: str) -> None:
    assert writable(text).encode("utf-8").decode("utf-8") == writable(text)
