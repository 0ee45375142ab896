"""Detection of keys in texts of upstreams, in whatever encoding: a text that repeats one is not shown at all. Pure.

Keys are found by blocks of four characters. Every seven characters hold one that begins at a multiple of four, so that
a reading is compared four characters at a time, as numbers, and only where a block fits is it looked at closely.
"""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from adapter.privacy.readings.letters import cased, folded, lowered
from adapter.privacy.readings.search import TooManyReadingsError, readings

WINDOW: Final = 8
"""Consecutive letters and digits of an account's own key that disclose it, beyond the public prefix."""
WORD_WINDOW: Final = 12
"""The same where they are letters of one case or digits alone: keys that people choose hold words and dates."""
_LEAST: Final = 8
_TAIL: Final = 8
_BLOCK: Final = 4
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
        self._blocks: set[int] = set()
        for key in keys:
            whole = folded(key)
            if len(whole) >= _LEAST:
                self._by_tail.setdefault(whole[-_TAIL:], set()).add(whole)
                self._blocks.update(_all_blocks(whole[1 - _TAIL :]))

    def within(self, reading: bytes) -> bool:
        """Return whether a reading holds one of the keys."""
        tails = self._by_tail
        for at in _places(reading, self._blocks):
            for end in range(at + _BLOCK, at + _TAIL):
                found = tails.get(reading[max(0, end - _TAIL) : end])
                if found is not None and any(reading.endswith(key, 0, end) for key in found):
                    return True
        return False


class Disclosure:
    """Detects an account's own secrets, whole or in part, and any other key of its pool."""

    def __init__(self, own: Iterable[str], pool: PoolKeys) -> None:
        self._pool = pool
        secrets = [secret for secret in own if "://" not in secret and len(folded(secret)) >= _LEAST]
        self._whole = tuple(folded(secret) for secret in secrets)
        self._cased = b"\n".join(cased(_private(secret)) for secret in secrets)
        self._lower = lowered(self._cased)
        self._blocks = set(_all_blocks(self._lower))

    def within(self, *texts: str) -> bool:
        """Return whether one of the texts repeats a key, or has too many readings to say that it does not."""
        try:
            return any(self._repeated(reading) for text in texts for reading in readings(text))
        except TooManyReadingsError:
            return True

    def _repeated(self, reading: bytes) -> bool:
        if any(whole in reading for whole in self._whole) or self._pool.within(reading):
            return True
        return any(self._discloses(reading, at) for at in _places(reading, self._blocks))

    def _discloses(self, reading: bytes, block: int) -> bool:
        """Return whether enough characters around a block are those of a secret."""
        for start in range(max(0, block - _BLOCK + 1), block + 1):
            window = reading[start : start + WINDOW]
            at = self._lower.find(window)
            if len(window) == WINDOW and at >= 0 and not _WORD.fullmatch(self._cased, at, at + WINDOW):
                return True
        first = max(0, block - WORD_WINDOW + _BLOCK)
        windows = (reading[start : start + WORD_WINDOW] for start in range(first, block + 1))
        return any(len(window) == WORD_WINDOW and window in self._lower for window in windows)


def _private(secret: str) -> str:
    """Return a secret without the prefix that is the same for every key of a vendor."""
    stripped = secret.strip()
    found = _PUBLIC_PREFIX.match(stripped)
    return stripped[found.end() :] if found else stripped


def _blocks_of(letters: bytes) -> memoryview:
    return memoryview(letters[: len(letters) // _BLOCK * _BLOCK]).cast("I")


def _all_blocks(letters: bytes) -> Iterator[int]:
    """Yield the blocks that begin anywhere in letters."""
    for start in range(_BLOCK):
        yield from _blocks_of(letters[start:])


def _places(reading: bytes, blocks: AbstractSet[int]) -> list[int]:
    """Return the places of a reading at which one of the blocks stands, of every fourth place."""
    found = _blocks_of(reading)
    if not blocks or blocks.isdisjoint(found):
        return []
    return [place * _BLOCK for place, block in enumerate(found) if block in blocks]
