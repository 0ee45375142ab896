"""Encodings in which an upstream may repeat a key, one for each row of the readings and each notation of it."""

from __future__ import annotations

import codecs
import gzip
import html
import json
from base64 import a85encode, b32encode, b32hexencode, b64encode, b85encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import quote

Disguise = Callable[[str], str]


def each(notation: str, between: str = "") -> Disguise:
    """Return the disguise that writes the code of each character in a notation."""
    return lambda text: between.join(notation.format(ord(mark)) for mark in text)


def _units(text: str) -> Iterator[int]:
    content = text.encode("utf-16-be")
    return (int.from_bytes(content[at : at + 2], "big") for at in range(0, len(content), 2))


def pieces_of(size: int, between: str) -> Disguise:
    """Return the disguise that parts a text after so many characters."""
    return lambda text: between.join(text[at : at + size] for at in range(0, len(text), size))


def styled(upper: int, lower: int, digit: int) -> Disguise:
    """Return the disguise in another alphabet of Unicode, from its first letters and its zero on."""
    first = {**dict.fromkeys(range(65, 91), upper - 65), **dict.fromkeys(range(97, 123), lower - 97)}
    first |= dict.fromkeys(range(48, 58), digit - 48)
    return lambda text: "".join(chr(ord(mark) + first.get(ord(mark), 0)) for mark in text)


SPELLED: Final[dict[str, Disguise]] = {
    "percent": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "percent twice": lambda text: quote("".join(f"%{byte:02x}" for byte in text.encode())),
    "four-digit escapes": lambda text: "".join(f"\\u{unit:04x}" for unit in _units(text)),
    "eight-digit escapes": each("\\U{:08x}"),
    "escapes in braces": each("\\u{{{:x}}}"),
    "hexadecimal escapes": each("\\x{:02x}"),
    "octal escapes": each("\\{:03o}"),
    "entities": each("&#{};"),
    "hexadecimal entities": each("&#x{:x};"),
    "escaped entities": lambda text: html.escape(each("&#{};")(text)),
    "quoted-printable": lambda text: "".join(f"={byte:02X}" for byte in text.encode()),
    "hexadecimal numbers": each("0x{:02x}", " "),
    "code points": each("U+{:04X}", " "),
    "decimal list": each("{}", " "),
    "decimal array": lambda text: json.dumps(list(text.encode())),
    "calls of chr": each("chr({})", "+"),
    "octal list": each("{:o}", ", "),
    "octal numbers": each("0o{:o}", ", "),
    "binary list": each("{:08b}", " "),
    "seven-bit list": each("{:07b}", ","),
    "binary": each("{:08b}"),
}
ENCODED: Final[dict[str, Disguise]] = {
    "base16": lambda text: text.encode().hex(),
    "base16 in capitals": lambda text: text.encode().hex().upper(),
    "base16 with colons": lambda text: text.encode().hex(":"),
    "base32": lambda text: b32encode(text.encode()).decode(),
    "base32 with other digits": lambda text: b32hexencode(text.encode()).decode(),
    "base64": lambda text: b64encode(text.encode()).decode(),
    "base64 twice": lambda text: b64encode(b64encode(text.encode())).decode(),
    "base64 of a pair": lambda text: b64encode(f"user:{text}".encode()).decode(),
    "base64 for addresses": lambda text: urlsafe_b64encode(f"?{text}~~".encode()).decode(),
    "base64 of UTF-16": lambda text: b64encode(text.encode("utf-16-le")).decode(),
    "base85": lambda text: b85encode(text.encode()).decode(),
    "ascii85": lambda text: a85encode(text.encode()).decode(),
    "compressed": lambda text: b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
}
SPREAD: Final[dict[str, Disguise]] = {
    "spaced": " ".join,
    "tabbed": "\t".join,
    "line by line": "\n".join,
    "dashed": "-".join,
    "underscored": "_".join,
    "dotted": ".".join,
    "fours": pieces_of(4, "-"),
    "lines of eight": pieces_of(8, "\n"),
    "zero width": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "combining accents": "\u0301".join,
    "tags": "<b></b>".join,
    "comments": "<!-- -->".join,
    "comments of code": "/* */".join,
    "codes of a board": "[b][/b]".join,
}
LISTED: Final[dict[str, Disguise]] = {
    "array of letters": lambda text: json.dumps(list(text)),
    "spread by comma": ", ".join,
}
STYLED: Final[dict[str, Disguise]] = {
    "full width": lambda text: "".join(chr(ord(mark) + 0xFEE0) if "!" <= mark <= "~" else mark for mark in text),
    "mathematical": styled(0x1D400, 0x1D41A, 0x1D7CE),
    "circled": styled(0x24B6, 0x24D0, 0x30),
    "invisible twins": lambda text: "".join(chr(0xE0000 + ord(mark)) if mark.isascii() else mark for mark in text),
}
REARRANGED: Final[dict[str, Disguise]] = {
    "clear": str,
    "reversed": lambda text: text[::-1],
    "rot13": lambda text: codecs.encode(text, "rot13"),
}
CASES: Final[dict[str, Disguise]] = {"upper case": str.upper, "lower case": str.lower, "swapped case": str.swapcase}
DISGUISES: Final = {**REARRANGED, **SPELLED, **ENCODED, **SPREAD, **LISTED, **STYLED, **CASES}

TWO_DEEP: Final = {"percent twice", "escaped entities", "base64 twice"}
BEYOND_ASCII: Final = {*STYLED, "zero width", "soft hyphens", "combining accents"}
TAKE_ASCII: Final = {
    *(
        SPELLED.keys()
        - {"percent", "quoted-printable", "four-digit escapes", "eight-digit escapes", "escapes in braces"}
    ),
    *(
        ENCODED.keys()
        - {"base16", "base16 in capitals", "base64", "base64 of a pair", "base64 for addresses", "compressed"}
    ),
}
LOSE_CASE: Final = ENCODED.keys() - {
    "base16",
    "base16 in capitals",
    "base16 with colons",
    "base32",
    "base32 with other digits",
}


def combines(inner: str, outer: str) -> bool:
    """Return whether a pair of disguises is one that the readings undo.

    Four kinds of pairs are not: with a disguise that is two deep already, bytes of another alphabet in an encoding
    that is read as ASCII alone, an encoding whose case is lost, and one whose marks are parted in the middle.
    """
    if (
        TWO_DEEP & {inner, outer}
        or (inner in BEYOND_ASCII and outer in TAKE_ASCII)
        or (outer in CASES and inner in LOSE_CASE)
    ):
        return False
    marks = {*SPELLED, "base85", "ascii85", "codes of a board"}
    return not (outer in {"fours", "array of letters"} and inner in marks)
