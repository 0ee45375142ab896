"""JSON as the stock gateway reads and writes it, and request bodies of several management paths."""

import asyncio
import email.policy
import json
import math
import re
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from email.parser import BytesParser
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
_AT_ONCE = 250
T = TypeVar("T")


class BodyUnreadable(Exception):  # noqa: N818 - it names what happened
    """The body is not the expected JSON; ``str()`` is the text of the answer."""


class GoJSONResponse(Response):
    """JSON answer in Go's encoding: compact, UTF-8, and HTML characters escaped."""

    media_type = "application/json; charset=utf-8"

    def render(self, content: object) -> bytes:
        return _written(content).encode("utf-8", "replace")


def _written(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


async def go_json_list(name: str, items: Sequence[Mapping[str, object]]) -> Response:
    """Return a named list as an answer, encoded in steps, so that a long one does not block other requests."""
    parts: list[str] = []
    for start in range(0, len(items), _AT_ONCE):
        await asyncio.sleep(0)
        parts.append(_written([dict(item) for item in items[start : start + _AT_ONCE]])[1:-1])
    body = f"{{{_written(name)}:[{','.join(parts)}]}}"
    return Response(body.encode("utf-8", "replace"), media_type=GoJSONResponse.media_type)


class Fields:
    """Fields of a JSON object, looked up like Go: by the exact name, else in any case.

    A field of the wrong type raises ``BodyUnreadable`` with ``complaint`` as its text.
    """

    def __init__(self, document: Mapping[str, object], complaint: str) -> None:
        self._document = document
        self._folded = {name.lower(): value for name, value in document.items()}
        self._complaint = complaint

    def value(self, name: str) -> object:
        """Return a field; None when it is absent or null."""
        return self._document[name] if name in self._document else self._folded.get(name.lower())

    def text(self, name: str) -> str:
        """Return a text field; empty when it is absent or null."""
        return self.optional_text(name) or ""

    def optional_text(self, name: str) -> str | None:
        return self._typed(name, str)

    def number(self, name: str) -> int | None:
        return self._typed(name, int)

    def switch(self, name: str) -> bool | None:
        return self._typed(name, bool)

    def _typed(self, name: str, kind: type[T]) -> T | None:
        value = self.value(name)
        if value is None:
            return None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise BodyUnreadable(self._complaint)
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; null items are empty."""
        value = self.value(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise BodyUnreadable(self._complaint)
        return [self._text(item) for item in value]

    def mapping(self, name: str) -> dict[str, str]:
        """Return an object of texts; null values are empty."""
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
    """Replace every half of a surrogate pair, which no text can hold."""
    match value:
        case str():
            return _HALF_A_PAIR.sub("\ufffd", value)
        case list():
            return [_whole(item) for item in value]
        case dict():
            return {str(_whole(name)): _whole(item) for name, item in value.items()}
    return value


def parse_json(body: bytes, complaint: str, *, alone: bool = False) -> object:
    """Return the first JSON value of a body, read like Go: numbers are finite, texts have no half surrogates.

    Args:
        complaint: Text of the answer where there is no such value.
        alone: Reject anything after the value, which is otherwise ignored.

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


INVALID = "invalid body"
_LONGEST_NUMBER = 19


async def done(work: Awaitable[object]) -> Response:
    """Wait for a change and answer that it is made."""
    await work
    return GoJSONResponse({"status": "ok"})


async def whole_json(request: Request) -> object:
    """Return the JSON of a body, which nothing may follow."""
    return parse_json(await request.body(), INVALID, alone=True)


async def list_or_items(request: Request) -> list[object]:
    """Return the list in a body, or in the non-empty ``items`` of an object."""
    value = await whole_json(request)
    if isinstance(value, dict):
        value = next((item for name, item in value.items() if name.lower() == "items"), None) or None
    if not isinstance(value, list):
        raise BodyUnreadable(INVALID)
    return value


def leading_number(text: str | None) -> int | None:
    """Return the number at the start of a query value, None without one or beyond any list's length."""
    digits = (text or "").lstrip()
    sign, digits = (digits[:1], digits[1:]) if digits[:1] in {"+", "-"} else ("", digits)
    length = next((at for at, letter in enumerate(digits) if letter not in "0123456789"), len(digits))
    return int(sign + digits[:length]) if 0 < length < _LONGEST_NUMBER else None


_FORM = "multipart/form-data"


@dataclass(frozen=True, slots=True)
class Part:
    """A part: name of its field, name of its file (None for a plain value), and content."""

    name: str
    file_name: str | None
    content: bytes = field(repr=False)


def is_form(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == _FORM


def parts_of(content_type: str, body: bytes) -> list[Part]:
    """Return the parts of a form, in order.

    Raises:
        BodyUnreadable: It is not a form.
    """
    head = b"Content-Type: " + content_type.encode("latin-1", "replace") + b"\r\n\r\n"
    form = BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    if not form.is_multipart():
        raise BodyUnreadable("invalid multipart form: no part found")
    parts = []
    for part in form.iter_parts():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            name = str(part.get_param("name", "", "content-disposition"))
            parts.append(Part(name, part.get_filename(), content))
    return parts
