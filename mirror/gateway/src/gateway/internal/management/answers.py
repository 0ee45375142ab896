"""The answers and request bodies that many management paths share."""

from collections.abc import Awaitable

from starlette.requests import Request
from starlette.responses import Response

from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse, parse_json

INVALID = "invalid body"
_LONGEST_NUMBER = 19


async def done(work: Awaitable[object]) -> Response:
    """Wait for a change and say that it is made."""
    await work
    return GoJSONResponse({"status": "ok"})


async def whole_json(request: Request) -> object:
    """Return the JSON a body consists of; nothing may follow it."""
    return parse_json(await request.body(), INVALID, alone=True)


async def list_or_items(request: Request) -> list[object]:
    """Return the list a body is, or the ``items`` of an object, of which there must be some."""
    value = await whole_json(request)
    if isinstance(value, dict):
        value = next((item for name, item in value.items() if name.lower() == "items"), None) or None
    if not isinstance(value, list):
        raise BodyUnreadable(INVALID)
    return value


def leading_number(text: str | None) -> int | None:
    """Return the number a query value begins with; None when it begins with none, or one no list is long enough for."""
    digits = (text or "").lstrip()
    sign, digits = (digits[:1], digits[1:]) if digits[:1] in {"+", "-"} else ("", digits)
    length = next((at for at, letter in enumerate(digits) if letter not in "0123456789"), len(digits))
    return int(sign + digits[:length]) if 0 < length < _LONGEST_NUMBER else None
