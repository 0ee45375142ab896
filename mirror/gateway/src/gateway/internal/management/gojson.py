"""JSON the way the stock gateway reads and writes it."""

import asyncio
import json
import math
import re
from collections.abc import Mapping, Sequence

from starlette.responses import Response

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
_AT_ONCE = 250


class BodyUnreadable(Exception):  # noqa: N818 - it names what happened
    """The body of a request is not the JSON that was expected; ``str()`` is the text of the answer."""


class GoJSONResponse(Response):
    """A JSON answer byte for byte as Go writes one: compact, UTF-8, and HTML characters escaped."""

    media_type = "application/json; charset=utf-8"

    def render(self, content: object) -> bytes:
        """Encode the content; keys keep their order."""
        return _written(content).encode("utf-8", "replace")


def _written(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


async def go_json_list(name: str, items: Sequence[Mapping[str, object]]) -> Response:
    """Return an answer that is one list under a name, written in steps: a long one does not hold up anybody else."""
    parts: list[str] = []
    for start in range(0, len(items), _AT_ONCE):
        await asyncio.sleep(0)
        parts.append(_written([dict(item) for item in items[start : start + _AT_ONCE]])[1:-1])
    body = f"{{{_written(name)}:[{','.join(parts)}]}}"
    return Response(body.encode("utf-8", "replace"), media_type=GoJSONResponse.media_type)


class Fields:
    """The fields of a JSON object, found as Go finds them: by the exact name, else in any case.

    A field of the wrong type raises ``BodyUnreadable`` with ``complaint`` as its text.
    """

    def __init__(self, document: Mapping[str, object], complaint: str) -> None:
        self._document = document
        self._folded = {name.lower(): value for name, value in document.items()}
        self._complaint = complaint

    def value(self, name: str) -> object:
        """Return the value of a field; None when it is absent or null."""
        return self._document[name] if name in self._document else self._folded.get(name.lower())

    def text(self, name: str) -> str:
        """Return a string; empty when it is absent or null."""
        value = self.value(name)
        if value is not None and not isinstance(value, str):
            raise BodyUnreadable(self._complaint)
        return value or ""

    def optional_text(self, name: str) -> str | None:
        """Return a string; None when it is absent or null."""
        return None if self.value(name) is None else self.text(name)

    def number(self, name: str) -> int | None:
        """Return a whole number; None when it is absent or null."""
        value = self.value(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise BodyUnreadable(self._complaint)
        return value

    def switch(self, name: str) -> bool | None:
        """Return a boolean; None when it is absent or null."""
        value = self.value(name)
        if value is not None and not isinstance(value, bool):
            raise BodyUnreadable(self._complaint)
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of strings; a null inside is an empty one."""
        value = self.value(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise BodyUnreadable(self._complaint)
        return [self._text(item) for item in value]

    def mapping(self, name: str) -> dict[str, str]:
        """Return an object of strings; a null inside is an empty one."""
        value = self.value(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise BodyUnreadable(self._complaint)
        return {key: self._text(item) for key, item in value.items()}

    def _text(self, item: object) -> str:
        if item is not None and not isinstance(item, str):
            raise BodyUnreadable(self._complaint)
        return item or ""


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)


def _whole(value: object) -> object:
    """Return a value with a replacement character for every half of a surrogate pair, which no text can hold."""
    match value:
        case str():
            return _HALF_A_PAIR.sub("\ufffd", value)
        case list():
            return [_whole(item) for item in value]
        case dict():
            return {str(_whole(name)): _whole(item) for name, item in value.items()}
    return value


def parse_json(body: bytes, complaint: str, *, alone: bool = False) -> object:
    """Return the first JSON value of a body, read as Go reads it: numbers are finite, texts have no half characters.

    Args:
        body: The body of a request.
        complaint: Text of the answer where there is no such value.
        alone: Whether nothing may follow it; else that is ignored.

    Raises:
        BodyUnreadable: There is none.
    """
    text = body.decode("utf-8", "replace").lstrip(" \t\r\n")
    try:
        value, end = _DECODER.raw_decode(text)
        value = _whole(value) if "\\u" in text else value
    except (ValueError, RecursionError):
        raise BodyUnreadable(complaint) from None
    if alone and text[end:].strip(" \t\r\n"):
        raise BodyUnreadable(complaint)
    return value


def parse_fields(body: bytes, complaint: str) -> Fields:
    """Return the fields of a JSON object; ``null`` has none. Raise ``BodyUnreadable`` for anything else."""
    value = parse_json(body, complaint)
    if value is not None and not isinstance(value, dict):
        raise BodyUnreadable(complaint)
    return Fields(value or {}, complaint)
