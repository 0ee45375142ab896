"""Detection of keys in texts of upstreams, in whatever encoding: a text that repeats one is not shown at all. Pure."""

import re
from collections.abc import Iterable
from typing import Final

from adapter.privacy.decodings import folded, readings

WINDOW: Final = 12
"""Consecutive characters of an account's own key that disclose it, beyond the public prefix."""
_LEAST: Final = 8
_TAIL: Final = 8
_PUBLIC_PREFIX: Final = re.compile(
    r"(?:sk-ant-[a-z]{2,8}\d\d-|sk-(?:proj|svcacct|admin|or-v1|live|test)-|sk-|aizasy|aiza|xai-|gsk_|nvapi-|ya29|"
    r"eyj[a-z0-9_-]*?(?=eyj))"
)


class PoolKeys:
    """Whole keys of a pool. Each is found by its last characters, so that a text is read once for all of them."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._by_tail: dict[str, set[str]] = {}
        for key in keys:
            whole = folded(key)
            if len(whole) >= _LEAST:
                self._by_tail.setdefault(whole[-_TAIL:], set()).add(whole)

    def within(self, reading: str) -> bool:
        """Return whether a reading holds one of the keys."""
        tails = self._by_tail
        for end in range(_TAIL, len(reading) + 1):
            found = tails.get(reading[end - _TAIL : end])
            if found is not None and any(reading.endswith(key, 0, end) for key in found):
                return True
        return False


class Disclosure:
    """Detects an account's own secrets, whole or in part, and any other key of its pool."""

    def __init__(self, own: Iterable[str], pool: PoolKeys) -> None:
        self._pool = pool
        self._whole: set[str] = set()
        self._windows: set[str] = set()
        for secret in own:
            whole = folded(secret)
            if "://" in secret or len(whole) < _LEAST:
                continue
            self._whole.add(whole)
            start = _public(whole)
            self._windows.update(whole[at : at + WINDOW] for at in range(start, len(whole) - WINDOW + 1))

    def within(self, *texts: str) -> bool:
        """Return whether one of the texts repeats a key."""
        return any(self._repeated(reading) for text in texts for reading in readings(text))

    def _repeated(self, reading: str) -> bool:
        if any(whole in reading for whole in self._whole) or self._pool.within(reading):
            return True
        windows = self._windows
        return any(reading[at : at + WINDOW] in windows for at in range(len(reading) - WINDOW + 1))


def _public(whole: str) -> int:
    """Return the length of the prefix that is the same for every key of a vendor."""
    found = _PUBLIC_PREFIX.match(whole)
    return found.end() if found else 0
