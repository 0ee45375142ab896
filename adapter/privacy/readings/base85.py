"""Base85 in its three alphabets, found wherever it begins. Pure.

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
_CANDIDATES: Final = re.compile(b"1{2,}")
_BLANKS: Final = b" \t\r\n"
_ALNUM: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase


class _Alphabet(NamedTuple):
    """The digits by character, 85 for other characters, and `1` for each character that a group of ASCII begins with."""

    digits: bytes
    first: bytes
    runs: re.Pattern[bytes]


def _alphabet(characters: str) -> _Alphabet:
    written = characters.encode()
    digits = bytes(written.find(byte) if byte in written else 85 for byte in range(256))
    first = bytes(b"1"[0] if digit in _FIRST_DIGITS else b"0"[0] for digit in digits)
    return _Alphabet(digits, first, re.compile(b"[" + re.escape(written) + b"]{10,}"))


_ALPHABETS: Final = (
    _alphabet(_ALNUM + "!#$%&()*+-;<=>?@^_`{|}~"),
    _alphabet("".join(map(chr, range(33, 118)))),
    _alphabet(string.digits + string.ascii_lowercase + string.ascii_uppercase + ".-:+=^!/*?&<>()[]{}@%$#"),
)


def base85(text: str) -> Iterator[str]:
    """Yield the texts encoded in a text."""
    written = text.encode("ascii", "replace").translate(None, _BLANKS)
    pieces = text.encode("ascii", "replace").split()
    for alphabet in _ALPHABETS:
        for whole in (written, b" ".join(pieces)) if len(pieces) > 1 else (written,):
            for run in alphabet.runs.findall(whole):
                yield from _of_run(run, alphabet)


def _of_run(run: bytes, alphabet: _Alphabet) -> Iterator[str]:
    padded = run + alphabet.digits.find(84).to_bytes(1, "big") * (_GROUP - 1)
    for start in range(_GROUP):
        for found in _CANDIDATES.finditer(padded[start::_GROUP].translate(alphabet.first)):
            digits = padded[start + found.start() * _GROUP : start + found.end() * _GROUP].translate(alphabet.digits)
            yield from texts_in(_decoded(digits))


def _decoded(digits: bytes) -> bytes:
    whole = len(digits) // _GROUP * _GROUP
    columns = (digits[at:whole:_GROUP] for at in range(_GROUP))
    return b"".join(
        min((((a * 85 + b) * 85 + c) * 85 + d) * 85 + e, 0xFFFFFFFF).to_bytes(4, "big")
        for a, b, c, d, e in zip(*columns, strict=True)
    )
