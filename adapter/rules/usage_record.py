"""A gateway's own record of an upstream attempt as a `UsageRecord`. Pure; keys in the record are left behind."""

from collections.abc import Iterable, Mapping
from typing import Any

from adapter.clock import milliseconds
from adapter.port import UsageRecord


def usage_records(elements: Iterable[Any]) -> tuple[UsageRecord, ...]:
    """The records of a queue's elements, in their order; one that is no object is a record with nothing but `raw`."""
    return tuple(_record(element) for element in elements)


def _record(raw: Any) -> UsageRecord:
    element = raw if isinstance(raw, Mapping) else {}
    tokens, fail = _mapping(element, "tokens"), _mapping(element, "fail")
    return UsageRecord(
        at=milliseconds(element.get("timestamp")) or 0,
        latency_ms=_number(element, "latency_ms"),
        auth_index=_text(element, "auth_index"),
        provider=_text(element, "provider"),
        model=_text(element, "model"),
        alias=_text(element, "alias"),
        endpoint=_text(element, "endpoint"),
        request_id=_text(element, "request_id"),
        failed=element.get("failed") is True,
        status=_number(fail, "status_code"),
        input_tokens=_number(tokens, "input_tokens"),
        output_tokens=_number(tokens, "output_tokens"),
        reasoning_tokens=_number(tokens, "reasoning_tokens"),
        cached_tokens=_number(tokens, "cached_tokens"),
        total_tokens=_number(tokens, "total_tokens"),
        raw=raw,
    )


def _mapping(element: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = element.get(name)
    return value if isinstance(value, Mapping) else {}


def _number(element: Mapping[str, Any], name: str) -> int:
    value = element.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(element: Mapping[str, Any], name: str) -> str:
    value = element.get(name)
    return value if isinstance(value, str) else ""
