"""Key hints: the masked form in which people tell keys apart."""

from typing import Final

from adapter.privacy.secret import HIDDEN

_SHOWN: Final = 4
_LEAST: Final = 16
"""Shortest key of which anything is shown: half of it stays hidden."""


def key_hint(key: str) -> str:
    """Return the first and last four characters of a key, such as `sk-a…9f3c`.

    A key shorter than 16 characters is hidden whole. An entry without a key has no hint.
    """
    stripped = key.strip()
    if not stripped:
        return ""
    if len(stripped) < _LEAST:
        return HIDDEN
    head, tail = stripped[:_SHOWN], stripped[-_SHOWN:]
    return f"{head}…{tail}" if f"{head}{tail}".isprintable() else HIDDEN
