"""Reset times in the words of an error: dates, spans and epochs, as vendors write them for people."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Final

_READ: Final = 4_096
_WORDS: Final = re.compile(
    r"reset|again|regain|renew|refresh|retry|available|limit reached|重置|恢复|刷新|后", re.IGNORECASE
)
_DATE: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ]|\s+at\s+)(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?\s*(Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d\b)?",
    re.ASCII,
)
_EPOCH: Final = re.compile(r"(?<!\d)(\d{10})(\d{3})?(?!\d)", re.ASCII)
_SPAN: Final = re.compile(
    r"(\d{1,6}(?:\.\d{1,9})?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|ms)(?![a-z])", re.ASCII
)
_SPANS: Final = re.compile(
    r"\b(?:in|after)\s+((?:\d[\d.]*\s*[a-z]{1,7}[\s,]*(?:and\s+)?){1,4})", re.ASCII | re.IGNORECASE
)
_CHINESE_SPAN: Final = re.compile(r"(\d{1,6})\s*个?(天|小时|分钟|秒)", re.ASCII)
_CHINESE_SPANS: Final = re.compile(r"((?:\d{1,6}\s*个?(?:天|小时|分钟|秒)\s*){1,4})之?[后後]", re.ASCII)
_UNITS: Final = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_CHINESE: Final = {"天": "d", "小时": "h", "分钟": "m", "秒": "s"}
_BEIJING: Final = re.compile(r"limit will reset at|\[13\d\d\]|[\u4e00-\u9fff]", re.IGNORECASE)
"""Words of the vendors that write times of Beijing without a zone: Zhipu and z.ai among them."""


def times_in(text: str, now: int) -> Iterator[int]:
    """Yield the times (ms UTC) that a message names as its reset, those without a zone as UTC or Beijing time."""
    text = text[:_READ]
    if not _WORDS.search(text):
        return
    for date, time, zone in _DATE.findall(text):
        moment = _moment(date, time, zone, beijing=bool(_BEIJING.search(text)))
        if moment is not None:
            yield moment
    for seconds, _ in _EPOCH.findall(text):
        yield int(seconds) * 1000
    spans = [_SPAN.findall(span.lower()) for span in _SPANS.findall(text)]
    chinese = map(_CHINESE_SPAN.findall, _CHINESE_SPANS.findall(text))
    spans += [[(amount, _CHINESE[unit]) for amount, unit in parts] for parts in chinese]
    for parts in filter(None, spans):
        yield now + round(1000 * sum(float(amount) * _seconds(unit) for amount, unit in parts))


def _seconds(unit: str) -> float:
    return _UNITS["ms"] if unit == "ms" else _UNITS[unit[0]]


def _moment(date: str, time: str, zone: str, *, beijing: bool) -> int | None:
    offset = zone.replace("Z", "+00:00").replace("UTC", "+00:00").replace("GMT", "+00:00")
    try:
        parsed = datetime.fromisoformat(f"{date}T{time}{offset}")
    except ValueError:
        return None
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=timezone(timedelta(hours=8 if beijing else 0)))
    return round(parsed.timestamp() * 1000)
