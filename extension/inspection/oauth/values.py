"""Values of usage answers: numbers and times in the many ways vendors write them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

_MILLISECONDS_FROM: Final = 100_000_000_000
"""A number of this size or more is milliseconds since 1970, a smaller one seconds."""
_MOST: Final = 1e15
"""Nothing that is counted here is more; a larger number is none, and would fit into no column."""


def number(value: Any) -> float | None:
    """Read a number of a size that means something, also from text or from under `val`; None when it is none.

    Digits are those of ASCII: no vendor writes others.
    """
    if isinstance(value, Mapping):
        value = value.get("val")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not value.isascii():
        return None
    try:
        parsed = float(value)
    except (ValueError, OverflowError):
        return None
    return parsed if abs(parsed) <= _MOST else None


def moment(value: Any) -> int | None:
    """Read a time as integer milliseconds UTC: ISO 8601, or seconds or milliseconds since 1970."""
    if isinstance(value, str) and not value.strip().lstrip("-").replace(".", "", 1).isdigit():
        try:
            parsed = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
        return round((parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp() * 1000)
    amount = number(value)
    if amount is None or amount <= 0:
        return None
    return round(amount if amount >= _MILLISECONDS_FROM else amount * 1000)


def share(part: float | None, whole: float | None) -> float | None:
    """Return a part in percent of the whole; None when either is not known or there is no whole."""
    if part is None or whole is None or whole <= 0:
        return None
    percent = part / whole * 100
    return percent if math.isfinite(percent) else None


def field(value: Mapping[str, Any], *names: str) -> Any:
    """Return the first of some fields that is there; vendors change between the two spellings."""
    return next((value[name] for name in names if value.get(name) is not None), None)


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list; nothing when it is none."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from (item for item in value if isinstance(item, Mapping))


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object as it is, anything else as an empty one."""
    return value if isinstance(value, Mapping) else {}


def text(value: Any) -> str:
    """Return a text without spaces around it, anything else as empty."""
    return value.strip() if isinstance(value, str) else ""
