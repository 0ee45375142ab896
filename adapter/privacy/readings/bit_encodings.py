"""Encodings of bits: base64, base32, base16 and binary digits, found wherever they begin. Pure.

Characters outside the alphabet are dropped, so that blanks and line ends within an encoding do not matter. Words
around it then shift its bits: all shifts are tried. Of the bytes, only stretches of text are kept; random bytes have
next to none, which keeps the readings of such readings small. Stretches beyond ASCII and compressed ones are looked for
in unbroken base64 and base16 only: they cost ten times as much to find.
"""

import binascii
import re
import string
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

_TEXT: Final = frozenset((*range(0x20, 0x7F), *b"\t\n\r"))
_PRINTABLE: Final = bytes(b"1"[0] if byte in _TEXT else b"0"[0] for byte in range(256))
_STRETCH: Final = re.compile(b"1{8,}")
_UTF8: Final = re.compile(
    rb"(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){8,}"
)
_RUN: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}")
_FEWEST_BYTES: Final = 8
_BYTE: Final = 8
_COMPRESSED: Final = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")
_MOST_STREAMS: Final = 4
_MOST_INFLATED: Final = 4_096
_GZIP_OR_ZLIB: Final = zlib.MAX_WBITS | 32
_BASE64_BITS: Final = 6
_BASE64: Final = string.ascii_uppercase + string.ascii_lowercase + string.digits
_LETTERS: Final = string.ascii_uppercase


class _BitAlphabet(NamedTuple):
    """Digits of a base that is a power of two, as those Python reads, and all other characters."""

    bits: int
    digits: bytes
    dropped: bytes

    def contents(self, written: bytes) -> Iterator[bytes]:
        """Yield the bytes that the digits in a text stand for, under every shift."""
        digits = written.translate(self.digits, self.dropped)
        if len(digits) * self.bits < _FEWEST_BYTES * _BYTE:
            return iter(())
        return _base64(digits) if self.bits == _BASE64_BITS else _shifted(digits, self.bits)


def _alphabet(bits: int, characters: str, *, any_case: bool = False) -> _BitAlphabet:
    read = (_BASE64 + "+/" if bits == _BASE64_BITS else string.digits + string.ascii_lowercase)[: len(characters)]
    written = characters + characters.swapcase() if any_case else characters
    table = bytes.maketrans(written.encode(), (read * (len(written) // len(read))).encode())
    return _BitAlphabet(bits, table, bytes(set(range(256)) - set(written.encode())))


_ALPHABETS: Final = (
    _alphabet(6, _BASE64 + "+/"),
    _alphabet(6, _BASE64 + "-_"),
    _alphabet(5, _LETTERS + "234567", any_case=True),
    _alphabet(5, string.digits + _LETTERS[:22], any_case=True),
    _alphabet(4, string.digits + "ABCDEF", any_case=True),
    _alphabet(1, "01"),
)
_UNBROKEN: Final = tuple(alphabet for alphabet in _ALPHABETS if alphabet.bits in {4, 6})


def bit_encodings(text: str) -> Iterator[str]:
    """Yield the texts encoded in a text."""
    written = text.encode("ascii", "ignore")
    for alphabet in _ALPHABETS:
        for content in alphabet.contents(written):
            yield from texts_in(content)


def wide_texts(text: str) -> Iterator[str]:
    """Yield the texts beyond ASCII, and the compressed ones, in the unbroken base64 and base16 of a text."""
    for run in _RUN.findall(text):
        written = run.encode()
        for alphabet in _UNBROKEN:
            for content in alphabet.contents(written):
                yield from (found.decode("utf-8", "ignore") for found in _UTF8.findall(content) if not found.isascii())
                yield from _inflated(content)


def texts_in(content: bytes) -> Iterator[str]:
    """Yield the stretches of ASCII in bytes; those of wide characters are ASCII between zeros."""
    narrow = content.translate(None, b"\0")
    for found in _STRETCH.finditer(narrow.translate(_PRINTABLE)):
        yield narrow[found.start() : found.end()].decode("ascii")


def _base64(digits: bytes) -> Iterator[bytes]:
    padded = digits + b"AAA"
    for start in range(4):
        yield binascii.a2b_base64(padded[start : start + (len(padded) - start) // 4 * 4])


def _shifted(digits: bytes, bits: int) -> Iterator[bytes]:
    number = int(digits, 1 << bits)
    size = (len(digits) * bits + _BYTE - 1) // _BYTE
    for shift in range(0, _BYTE, bits if _BYTE % bits == 0 else 1):
        yield (number >> shift).to_bytes(size, "big")


def _inflated(content: bytes) -> Iterator[str]:
    """Yield the beginnings of compressed texts."""
    for found in islice(_COMPRESSED.finditer(content), _MOST_STREAMS):
        with suppress(zlib.error):
            inflated = zlib.decompressobj(_GZIP_OR_ZLIB).decompress(content[found.start() :], _MOST_INFLATED)
            yield inflated.decode("utf-8", "ignore")
