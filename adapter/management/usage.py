"""The usage queue of a management API: popped once, lost never on our side."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from adapter.clock import Clock
from adapter.expectations import management
from adapter.management.files import milliseconds
from adapter.management.interpreting import content
from adapter.management.link import Link
from adapter.management.release import Feature
from adapter.management.transport import Request
from adapter.port import Capability, UsageBatch, UsageRecord, errors

_QUEUE: Final = management("usage-queue")
_SWITCH: Final = management("usage-statistics-enabled")
_CONFIG: Final = management("config")
_RETENTION: Final = "redis-usage-queue-retention-seconds"
_USUAL_RETENTION: Final = 60.0
_SECONDS: Final = 30.0


class UsageQueue:
    """Switches and pops. What a pop took whose waiter was cancelled is kept for the next one."""

    def __init__(self, link: Link, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._pending: asyncio.Task[UsageBatch] | None = None
        self._popped: float | None = None
        self._retention: float | None = None

    async def switch(self, on: bool) -> None:
        """See the port."""
        await self._require()
        await self._link.write("PUT", _SWITCH, {"value": on}, _SECONDS)

    async def pop(self, limit: int) -> UsageBatch:
        """See the port."""
        if limit < 1:
            raise ValueError("A pop takes at least one record.")
        await self._require()
        if self._pending is None:
            self._pending = asyncio.create_task(self._pop(limit))
        pending = self._pending
        try:
            batch = await asyncio.shield(pending)
        except asyncio.CancelledError:
            raise
        except errors.GatewayError:
            self._pending = None
            raise
        if self._pending is pending:
            self._pending = None
        return batch

    async def _pop(self, limit: int) -> UsageBatch:
        if self._retention is None:
            self._retention = _retention(await self._link.read(_CONFIG))
        before, self._popped = self._popped, self._clock.monotonic()
        reply = await self._link.once(Request("GET", _QUEUE, {"count": str(limit)}))
        listed = content(reply)
        if not isinstance(listed, list):
            raise errors.Unavailable("The gateway's usage queue is not a list of records.", applied="maybe")
        gap = before is not None and self._popped - before > self._retention
        records = tuple(_record(item) for item in listed if isinstance(item, Mapping))
        return UsageBatch(records, self._clock.now_ms(), gap)

    async def _require(self) -> None:
        if not (await self._link.release()).has(Feature.USAGE_QUEUE):
            raise errors.Unsupported(Capability.USAGE)


def _retention(config: Any) -> float:
    found = config.get(_RETENTION) if isinstance(config, Mapping) else None
    return float(found) if isinstance(found, int) and not isinstance(found, bool) and found > 0 else _USUAL_RETENTION


def _record(item: Mapping[str, Any]) -> UsageRecord:
    tokens, fail = _mapping(item, "tokens"), _mapping(item, "fail")
    return UsageRecord(
        at=milliseconds(item.get("timestamp")) or 0,
        latency_ms=_number(item, "latency_ms"),
        auth_index=_text(item, "auth_index"),
        provider=_text(item, "provider"),
        model=_text(item, "model"),
        alias=_text(item, "alias"),
        endpoint=_text(item, "endpoint"),
        request_id=_text(item, "request_id"),
        failed=item.get("failed") is True,
        status=_number(fail, "status_code"),
        input_tokens=_number(tokens, "input_tokens"),
        output_tokens=_number(tokens, "output_tokens"),
        reasoning_tokens=_number(tokens, "reasoning_tokens"),
        cached_tokens=_number(tokens, "cached_tokens"),
        total_tokens=_number(tokens, "total_tokens"),
    )


def _mapping(item: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = item.get(name)
    return value if isinstance(value, Mapping) else {}


def _number(item: Mapping[str, Any], name: str) -> int:
    value = item.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""
