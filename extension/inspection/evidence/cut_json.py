"""The beginning of a JSON text that was cut: the fields or items it shows, and whether their values had begun.

The beginning suffices: an answer of an interface names its fields long before it is too long to be read.
"""

import json
import re
from typing import Any, Final

_LOOKED_AT: Final = 65_536
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_CONTENT: Final = re.compile(r"[\[{ \t\r\n]*[^\[\]{} \t\r\n]")
"""Something within a value that is more than brackets and blanks."""
_DECODER: Final = json.JSONDecoder()


def shown_items(text: str) -> bool:
    """Return whether a list that was cut shows at least the beginning of an item."""
    return text.startswith("[") and _CONTENT.match(text, 1, _LOOKED_AT) is not None


def shown_fields(text: str) -> dict[str, Any]:
    """Return the fields of an object that was cut; a value that is cut itself counts as `...` once it shows content."""
    fields: dict[str, Any] = {}
    text = text[:_LOOKED_AT]
    place = _after_blanks(text, 1)
    try:
        while text.startswith("{") and text.startswith('"', place):
            name, place = _DECODER.raw_decode(text, place)
            place = _after_blanks(text, place)
            if not text.startswith(":", place):
                break
            place = _after_blanks(text, place + 1)
            end = _value(text, place)
            if end is None:
                break
            fields[name], place = end
            place = _after_blanks(text, place)
            if not text.startswith(",", place):
                break
            place = _after_blanks(text, place + 1)
    except ValueError:
        return fields
    return fields


def _value(text: str, place: int) -> tuple[Any, int] | None:
    """Return the value at a place and the place behind it; None where the text shows nothing of it."""
    try:
        return _DECODER.raw_decode(text, place)
    except RecursionError:
        return None
    except ValueError:
        return (..., len(text)) if _CONTENT.match(text, place) else None


def _after_blanks(text: str, place: int) -> int:
    blanks = _BLANKS.match(text, place)
    return place if blanks is None else blanks.end()
