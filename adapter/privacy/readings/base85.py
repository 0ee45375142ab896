"""Base85 in its two alphabets, found wherever it begins. Pure.

Five characters stand for four bytes. Where these are ASCII, the first of the five is one of 31: only groups that
follow each other with such a first character are decoded.
"""

import re
import string
from collections.abc import Iterator
from typing import Final, NamedTuple

from adapter.privacy.readings.bit_encodings import texts_in

_GROUP: Final = 5
_HIGHEST: Final = 85**4
_FIRST_DIGITS: Final = range((0x20 << 24) // _HIGHEST, ((0x7F << 24) - 1) // _HIGHEST + 1)
_CANDIDATES: Final = re.compile(b"1{3,}")
_NO_DIGIT: Final = 85
_HIGHEST_NUMBER: Final = 1 << 32
_BREAK: Final = b"\x01"
"""A byte of no text."""
_BLANKS: Final = b" \t\r\n"
_ALNUM: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase


class _Base85(NamedTuple):
    """The digits by character, and `1` for each character that a group of ASCII begins with."""

    digits: bytes
    first: bytes


def _alphabet(characters: str) -> _Base85:
    written = characters.encode()
    digits = bytes(written.find(byte) if byte in written else _NO_DIGIT for byte in range(256))
    return _Base85(digits, bytes(b"1"[0] if digit in _FIRST_DIGITS else b"0"[0] for digit in digits))


_ALPHABETS: Final = (
    _alphabet(_ALNUM + "!#$%&()*+-;<=>?@^_`{|}~"),
    _alphabet("".join(map(chr, range(33, 118)))),
)


def base85(text: str) -> Iterator[str]:
    """Yield the texts encoded in a text, line ends within them ignored."""
    written = text.encode("ascii", "replace").translate(None, _BLANKS)
    for alphabet in _ALPHABETS:
        for start in range(_GROUP):
            content = b"".join(_of_phase(written[start:], alphabet))
            yield from texts_in(content)


def _of_phase(written: bytes, alphabet: _Base85) -> Iterator[bytes]:
    for found in _CANDIDATES.finditer(written[::_GROUP].translate(alphabet.first)):
        yield _BREAK
        yield from _decoded(written[found.start() * _GROUP : found.end() * _GROUP].translate(alphabet.digits))


def _decoded(digits: bytes) -> Iterator[bytes]:
    whole = len(digits) // _GROUP * _GROUP
    for a, b, c, d, e in zip(*(digits[at:whole:_GROUP] for at in range(_GROUP)), strict=True):
        number = (((a * 85 + b) * 85 + c) * 85 + d) * 85 + e
        plausible = number < _HIGHEST_NUMBER and _NO_DIGIT not in (b, c, d, e)
        yield number.to_bytes(4, "big") if plausible else _BREAK
