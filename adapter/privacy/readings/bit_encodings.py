"""Encodings of bits: base64, base32, base16 and binary digits, found wherever they begin. Pure.

Characters outside the alphabet are dropped, so that blanks and line ends within an encoding do not matter. Words
around it then shift its bits: all shifts are tried. Of the bytes, only stretches of text are kept; random bytes have
next to none, which keeps the readings of such readings small.
"""

import binascii
import re
import string
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

_TEXT: Final = re.compile(
    rb"(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){8,}"
)
_FEWEST_BYTES: Final = 8
_BYTE: Final = 8
_COMPRESSED: Final = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")
_MOST_STREAMS: Final = 4
_MOST_INFLATED: Final = 4_096
_GZIP_OR_ZLIB: Final = zlib.MAX_WBITS | 32
_BASE64: Final = string.ascii_uppercase + string.ascii_lowercase + string.digits
_LETTERS: Final = string.ascii_uppercase


class _Alphabet(NamedTuple):
    """Digits of a base that is a power of two, as those Python reads, and all other characters."""

    bits: int
    digits: bytes
    dropped: bytes


def _alphabet(bits: int, characters: str, *, any_case: bool = False) -> _Alphabet:
    read = (_BASE64 + "+/" if bits == 6 else string.digits + string.ascii_lowercase)[: len(characters)]
    written = characters + characters.swapcase() if any_case else characters
    table = bytes.maketrans(written.encode(), (read * (len(written) // len(read))).encode())
    return _Alphabet(bits, table, bytes(set(range(256)) - set(written.encode())))


_ALPHABETS: Final = (
    _alphabet(6, _BASE64 + "+/"),
    _alphabet(6, _BASE64 + "-_"),
    _alphabet(5, _LETTERS + "234567", any_case=True),
    _alphabet(5, string.digits + _LETTERS[:22], any_case=True),
    _alphabet(4, string.digits + "ABCDEF", any_case=True),
    _alphabet(1, "01"),
)


def bit_encodings(text: str) -> Iterator[str]:
    """Yield the texts encoded in a text."""
    written = text.encode("ascii", "ignore")
    for alphabet in _ALPHABETS:
        digits = written.translate(alphabet.digits, alphabet.dropped)
        if len(digits) * alphabet.bits < _FEWEST_BYTES * _BYTE:
            continue
        for content in _base64(digits) if alphabet.bits == 6 else _shifted(digits, alphabet.bits):
            yield from texts_in(content)


def texts_in(content: bytes) -> Iterator[str]:
    """Yield the stretches of text in bytes, wide characters and compressed ones included."""
    for found in _TEXT.findall(content.replace(b"\0", b"")):
        yield found.decode("utf-8", "ignore")
    for number, found in enumerate(_COMPRESSED.finditer(content)):
        if number >= _MOST_STREAMS:
            break
        yield _inflated(content[found.start() :])


def _base64(digits: bytes) -> Iterator[bytes]:
    padded = digits + b"AAA"
    for start in range(4):
        yield binascii.a2b_base64(padded[start : start + (len(padded) - start) // 4 * 4])


def _shifted(digits: bytes, bits: int) -> Iterator[bytes]:
    number = int(digits, 1 << bits)
    size = (len(digits) * bits + _BYTE - 1) // _BYTE
    for shift in range(0, _BYTE, bits if _BYTE % bits == 0 else 1):
        yield (number >> shift).to_bytes(size, "big")


def _inflated(stream: bytes) -> str:
    """Return the beginning of a compressed text; empty where the stream is none."""
    try:
        return zlib.decompressobj(_GZIP_OR_ZLIB).decompress(stream, _MOST_INFLATED).decode("utf-8", "ignore")
    except zlib.error:
        return ""
