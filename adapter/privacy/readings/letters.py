"""Letters of a text: the canonical form in which keys are searched, and rearranged forms of it. Pure."""

import string
import unicodedata
from functools import cache
from typing import Final

_KEPT: Final = (string.ascii_letters + string.digits).encode()
_DROPPED: Final = bytes(byte for byte in range(256) if byte not in _KEPT)
_UPPER, _LOWER = string.ascii_uppercase, string.ascii_lowercase
_TO_LOWER: Final = bytes.maketrans(_UPPER.encode(), _LOWER.encode())
_TURNED: Final = _UPPER[13:] + _UPPER[:13] + _LOWER[13:] + _LOWER[:13]
_ROT13: Final = str.maketrans(_UPPER + _LOWER, _TURNED)
_ROT13_BYTES: Final = bytes.maketrans((_UPPER + _LOWER).encode(), _TURNED.encode())
_LOOKALIKES: Final = (
    ("АВЕЅІЈКМНОРСТУХаеѕіјорсухԁԛԝһ", "ABESIJKMHOPCTYXaesijopcyxdqwh"),  # noqa: RUF001 - Cyrillic
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανι", "ABEZHIKMNOPTYXoavi"),  # noqa: RUF001 - Greek
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
)
_WITH_COMPATIBLE_FORMS: Final = ((0x80, 0x10000), (0x1D400, 0x1D800), (0x1F100, 0x1F1B0), (0x1FBF0, 0x1FBFA))
_ALPHABETS: Final = (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)
"""First letters of squared, circled and regional alphabets."""
_TAGS: Final = 0xE0000
"""Invisible twins of the ASCII characters."""


def cased(text: str) -> bytes:
    """Return the letters and digits of a text; accents, look-alikes, blanks and invisible characters are undone."""
    return plain(text).encode("ascii").translate(None, _DROPPED)


def plain(text: str) -> str:
    """Return the ASCII characters that a text stands for; accents and other characters are dropped."""
    if text.isascii():
        return text
    # Character by character: normalizing a whole text sorts runs of accents, which takes quadratic time.
    return text.translate(_plain_characters()).encode("ascii", "ignore").decode("ascii")


def folded(text: str) -> bytes:
    """Return the letters and digits of a text in lower case."""
    return lowered(cased(text))


def lowered(letters: bytes) -> bytes:
    """Return letters in lower case."""
    return letters.translate(_TO_LOWER)


def rearranged(letters: bytes) -> tuple[bytes, ...]:
    """Return letters as they are, reversed, under rot13, and both."""
    turned = letters.translate(_ROT13_BYTES)
    return letters, letters[::-1], turned, turned[::-1]


def rearranged_texts(text: str) -> tuple[str, ...]:
    """Return a text reversed, under rot13, and both: its order and marks may be those of another encoding."""
    turned = text.translate(_ROT13)
    return text[::-1], turned, turned[::-1]


@cache
def _plain_characters() -> dict[int, str]:
    """Return the ASCII characters that other characters stand for; made at the first text that needs it."""
    found: dict[int, str] = {}
    for first, end in _WITH_COMPATIBLE_FORMS:
        for code in range(first, end):
            compatible = unicodedata.normalize("NFKD", chr(code)).encode("ascii", "ignore").decode()
            if compatible and compatible.isprintable():
                found[code] = compatible
    for first in _ALPHABETS:
        found.update({first + at: letter for at, letter in enumerate(_UPPER)})
    found.update({_TAGS + code: chr(code) for code in range(0x20, 0x7F)})
    for likes, letters in _LOOKALIKES:
        found.update({ord(like): letter for like, letter in zip(likes, letters, strict=True)})
    return found
