"""Detection of keys in texts of upstreams: a text that repeats one is not shown at all. Pure.

A text is compared by its letters and digits alone, in lower case, so that blanks and marks between them do not matter.
A key counts in each of the forms of `encodings`; of an account's own key a part is enough.
"""

import re
import string
from collections.abc import Iterable
from typing import Final

from adapter.privacy.secret import encodings

WINDOW: Final = 8
"""Consecutive letters and digits of an account's own key that disclose it, beyond the public prefix."""
WORD_WINDOW: Final = 12
"""The same where they are letters of one case or digits alone: keys that people choose hold words and dates."""
_LEAST: Final = 8
_KEPT: Final = (string.ascii_letters + string.digits).encode()
_DROPPED: Final = bytes(byte for byte in range(256) if byte not in _KEPT)
_WORD: Final = re.compile(rb"[A-Za-z][a-z]+|[A-Z]+|[0-9]+")
_PUBLIC_PREFIX: Final = re.compile(
    r"(?:sk-ant-[a-z]{2,8}\d\d-|sk-(?:proj|svcacct|admin|or-v1|live|test)-|sk-|aizasy|aiza|xai-|gsk_|nvapi-|ya29|"
    r"eyj[a-z0-9_-]*?(?=eyj))",
    re.IGNORECASE,
)


class PoolKeys:
    """Whole keys of a pool. Each is found by its last characters, so that a text is read once for all of them."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._by_tail: dict[bytes, set[bytes]] = {}
        for key in keys:
            for form in _forms(key):
                self._by_tail.setdefault(form[-WINDOW:], set()).add(form)

    def within(self, letters: bytes) -> bool:
        """Return whether the letters of a text hold one of the keys."""
        if not self._by_tail:
            return False
        tails = self._by_tail.keys() & _windows(letters, WINDOW)
        return any(form in letters for tail in tails for form in self._by_tail[tail])


class Disclosure:
    """Detects an account's own secrets, whole or in part, and any other key of its pool."""

    def __init__(self, own_secrets: Iterable[str], pool: PoolKeys) -> None:
        self._pool = pool
        secrets = [secret for secret in own_secrets if "://" not in secret]
        self._forms = {form for secret in secrets for form in _forms(secret)}
        self._cased = b"\n".join(_letters(_private(secret)) for secret in secrets if _forms(secret))
        self._lower = self._cased.lower()
        self._parts = _windows(self._lower, WINDOW)

    def within(self, *texts: str) -> bool:
        """Return whether one of the texts repeats a key."""
        return any(self._repeated(_letters(text).lower()) for text in texts)

    def _repeated(self, letters: bytes) -> bool:
        if any(form in letters for form in self._forms) or self._pool.within(letters):
            return True
        parts = self._parts & _windows(letters, WINDOW)
        return any(self._is_no_word(part) for part in parts) or (
            bool(parts) and any(window in self._lower for window in _windows(letters, WORD_WINDOW))
        )

    def _is_no_word(self, part: bytes) -> bool:
        start = self._lower.find(part)
        return not _WORD.fullmatch(self._cased, start, start + WINDOW)


def _letters(text: str) -> bytes:
    return text.encode("ascii", "ignore").translate(None, _DROPPED)


def _forms(secret: str) -> set[bytes]:
    """Return the letters of each form of a secret; none of one that is too short to be told from a word."""
    if len(_letters(secret)) < _LEAST:
        return set()
    return {_letters(form).lower() for form in encodings(secret)}


def _private(secret: str) -> str:
    """Return a secret without the prefix that is the same for every key of a vendor."""
    stripped = secret.strip()
    prefix = _PUBLIC_PREFIX.match(stripped)
    return stripped[prefix.end() :] if prefix else stripped


def _windows(letters: bytes, size: int) -> set[bytes]:
    return {letters[start : start + size] for start in range(len(letters) - size + 1)}
