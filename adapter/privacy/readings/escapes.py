"""Rewriting of texts: escapes replaced by their characters, and marks between letters dropped. Pure."""

import binascii
import html
import re
import sys
from typing import Final
from urllib.parse import unquote

from adapter.privacy.encodable import writable

_JSON: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([bfnrt])|([\"\\/]))")
_ESCAPE: Final = re.compile(
    r"\\+(?:[uxo]\{([0-9a-fA-F]{1,8})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{3})|([abefnrtv0])"
    r"|([\"'\\/]))"
)
_OCTAL: Final = 5
# No pattern scans past the next mark of its kind, so that a text of opening marks alone takes linear time.
_TAG: Final = re.compile(r"<[^<>]*>|/\*[^*/]*\*/|\[/?[A-Za-z]{1,10}\]")
_SPREAD: Final = re.compile(r".([^A-Za-z0-9]{1,5}?)(?:.\1){7,}.?", re.DOTALL)
_CONTROLS: Final = {"n": "\n", "r": "\n", "t": "\t"}
_QUOTED: Final = re.compile(r"=[0-9A-Fa-f]{2}")
_FEWEST_QUOTED: Final = 4
"""Of quoted-printable characters: one or two are a query parameter."""


def json_escapes(text: str) -> str:
    """Undo one level of the escapes in JSON strings, exactly: an escaped backslash begins no further escape."""
    return writable(_JSON.sub(_of_json, text)) if "\\" in text else text


def escapes(text: str) -> str:
    """Undo the escapes of strings, addresses and HTML, however often their backslash was escaped."""
    if "\\" in text:
        text = writable(_ESCAPE.sub(_of_string, text))
    if "%" in text:
        text = unquote(text, errors="replace")
    return html.unescape(text) if "&" in text else text


def without_marks(text: str) -> str:
    """Drop tags and comments."""
    return _TAG.sub("", text)


def joined_letters(text: str) -> str:
    """Drop the mark between characters where it is the same for eight or more of them."""
    return _SPREAD.sub(_of_spread, text)


def joined_lines(text: str) -> str:
    """Drop the ends of lines."""
    return "".join(text.splitlines())


def quoted_printable(text: str) -> str:
    """Undo quoted-printable."""
    if len(_QUOTED.findall(text)) < _FEWEST_QUOTED:
        return text
    return binascii.a2b_qp(text.encode("utf-8", "ignore")).decode("utf-8", "replace")


def _of_json(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16))
    return _CONTROLS.get(found[2], " ") if found[2] else str(found[3])


def _of_spread(found: re.Match[str]) -> str:
    return str(found[0][:: 1 + len(found[1])])


def _of_string(found: re.Match[str]) -> str:
    if found[6]:
        return _CONTROLS.get(found[6], " ")
    if found[7]:
        return str(found[7])
    number = int(found[0].lstrip("\\uUxo{").rstrip("}"), 8 if found.lastindex == _OCTAL else 16)
    return chr(number) if number <= sys.maxunicode else ""
