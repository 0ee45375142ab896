"""Name of an account in the terminal: display name, number, key hint and place, which tell equal names apart.

The place is an entry of the configuration or the name of an auth file. It is cut only on a terminal that is too narrow
for it: an entry to its numbers and as much of its words as fits, and a file name in the middle.
"""

import re
import sys
from collections.abc import Mapping
from typing import Any, Final

from rich.cells import cell_len

from extension.cli.output.text import plain
from extension.cli.output.text import width as terminal_width

_SEPARATOR: Final = " \u00b7 "
_CUT: Final = "\u2026"
_LEAST_PLACE: Final = 12
_NUMBER: Final = re.compile(r"\[\d+\]")
_MARGIN: Final = 8
"""Indent and punctuation around a place that has a line of its own."""


def named(account: Mapping[str, Any]) -> str:
    """Return the name of an account with its number, key hint and place."""
    name, place = str(account["displayName"]), plain(account.get("place") or account.get("fileName") or "")
    hint = f" {account['keyHint']}" if account.get("keyHint") else ""
    whole = plain(f"{name} #{account.get('account', account.get('id'))}{hint}")
    if not place or place in plain(name):
        return whole
    room = terminal_width() - _MARGIN if sys.stdout.isatty() else cell_len(place)
    return f"{whole}{_SEPARATOR}{_cut(place, room)}"


def fitted(name: str, room: int) -> str:
    """Return the name of an account in this many columns by cutting its place; the rest of it stays whole."""
    if cell_len(name) <= room:
        return name
    head, separator, place = name.rpartition(_SEPARATOR)
    if not separator:
        return name
    return f"{head}{separator}{_cut(place, room - cell_len(head + separator))}"


def _cut(place: str, room: int) -> str:
    """Cut a place to this many columns, but not below the fewest that still tell places apart."""
    room = max(room, _LEAST_PLACE)
    if cell_len(place) <= room:
        return place
    if place.endswith("]"):
        return _with_numbers(place, room)
    head = _first(place, (room - 1) // 2)
    tail = _first(place[::-1], room - 1 - cell_len(head))[::-1]
    return f"{head}{_CUT}{tail}"


def _with_numbers(place: str, room: int) -> str:
    """Shorten the words of an entry evenly, such as `openai-c…[3]api-…[0]`; numbers are never cut."""
    words, numbers = _NUMBER.split(place)[:-1], _NUMBER.findall(place)
    each_room = max(0, room - sum(map(len, numbers))) // len(words)
    shortened = (word if len(word) <= each_room else word[: max(0, each_room - 1)] + _CUT for word in words)
    return "".join(word + number for word, number in zip(shortened, numbers, strict=True))


def _first(words: str, room: int) -> str:
    """Return the first characters that fit in this many columns."""
    while cell_len(words) > room:
        words = words[: room if len(words) > room else -1]
    return words
