"""Suggestions for mistyped words."""

from collections.abc import Iterable
from difflib import get_close_matches

_SIMILARITY = 0.6


def suggestion(word: str, choices: Iterable[str]) -> str:
    """Return a sentence that offers the closest known word, preceded by a space; empty without a close one."""
    by_spelling = {choice.lower(): choice for choice in choices}
    close = get_close_matches(word.lower(), by_spelling, n=1, cutoff=_SIMILARITY)
    return f" Did you mean {by_spelling[close[0]]}?" if close else ""
