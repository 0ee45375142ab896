"""Readings of a text: every encoding an upstream may repeat a key in, undone. Pure.

Upstreams choose the texts, so the work is bounded: in depth, in the number of readings, and in their size together.
"""

import base64
import binascii
import html
import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_plus

_MOST_READINGS: Final = 48
_MOST_CHARACTERS: Final = 262_144
_DEPTH: Final = 3
_ESCAPE: Final = re.compile(r"\\+(?:u\{?([0-9a-fA-F]{4,6})\}?|x([0-9a-fA-F]{2}))")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{12,}")
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}[ :,]?){8,}")
_NOT_HEX: Final = re.compile(r"[^0-9a-fA-F]")
_NOT_OF_A_KEY: Final = re.compile(r"[^a-z0-9_-]")
_PRINTABLE_SHARE: Final = 0.8


def folded(text: str) -> str:
    """Return the characters of a text that keys are made of, in lower case: no blanks, no invisible characters."""
    return _NOT_OF_A_KEY.sub("", unicodedata.normalize("NFKC", text).lower())


def readings(text: str) -> Iterator[str]:
    """Yield the folded readings of a text, forward and reversed, each once."""
    seen: set[str] = set()
    left = _MOST_CHARACTERS
    waiting = [(text, 0)]
    while waiting and len(seen) < _MOST_READINGS:
        current, depth = waiting.pop(0)
        if current in seen or len(current) > left:
            continue
        seen.add(current)
        left -= len(current)
        plain = folded(current)
        yield plain
        yield plain[::-1]
        if depth < _DEPTH:
            waiting.extend((decoded, depth + 1) for decoded in _decoded(current))


def _decoded(text: str) -> Iterator[str]:
    if "%" in text:
        yield unquote_plus(text, errors="replace")
    if "\\" in text:
        yield _ESCAPE.sub(_character, text)
    if "&" in text:
        yield html.unescape(text)
    # Blanks may stand within a piece, or part it from neighbors that would make it unreadable: both are tried.
    joined = "".join(text.split())
    for whole in dict.fromkeys((text, joined, text[::-1], joined[::-1])):
        yield from _of_pieces(whole)


def _of_pieces(text: str) -> Iterator[str]:
    """Decode the pieces of a text that may be base64 or hexadecimal; a piece may begin anywhere within a run."""
    for offset in range(4):
        found = "\n".join(filter(None, (_base64(run[offset:]) for run in _BASE64.findall(text))))
        if found:
            yield found
    digits = (_NOT_HEX.sub("", run) for run in _HEX.findall(text))
    found = "\n".join(bytes.fromhex(run[: len(run) // 2 * 2]).decode("latin-1") for run in digits)
    if found:
        yield found


def _base64(run: str) -> str:
    """Decode a run of the alphabet, of either kind; empty where its bytes are no text."""
    try:
        run = run[:-1] if len(run) % 4 == 1 else run
        content = base64.b64decode(run.replace("-", "+").replace("_", "/") + "=" * (-len(run) % 4))
    except binascii.Error:
        return ""
    text = content.replace(b"\0", b"").decode("latin-1")
    printable = sum(" " <= mark <= "~" for mark in text)
    return text if text and printable >= _PRINTABLE_SHARE * len(text) else ""


def _character(found: re.Match[str]) -> str:
    number = int(found[1] or found[2], 16)
    return chr(number) if number <= sys.maxunicode else ""
