"""The usage queue of a management API: popped once, never lost on our side."""

from collections.abc import Mapping
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import content
from adapter.management.client.release import Feature
from adapter.management.client.transport import Request
from adapter.management.switching.reloads import Reloads
from adapter.port import Capability, UsageBatch, UsageState, errors
from adapter.rules.queue_drain import QueueDrain
from adapter.rules.usage_record import usage_records

_QUEUE: Final = management("usage-queue")
_SWITCH: Final = management("usage-statistics-enabled")
_CONFIG: Final = management("config")
_RETENTION: Final = "redis-usage-queue-retention-seconds"
_USUAL_RETENTION: Final = 60.0
_SECONDS: Final = 30.0


class ManagementUsageQueue:
    """Switches and pops. There may be a gap when more time than the retention lay between two pops."""

    def __init__(self, client: GuardedClient, reloads: Reloads, clock: Clock) -> None:
        self._client = client
        self._reloads = reloads
        self._clock = clock
        self._drain = QueueDrain(self._pop)
        self._popped: float | None = None
        self._retention: float | None = None

    async def switch(self, on: bool) -> None:
        """See the port. Stock v7.2.140 answers before the switch counts, so the reload it starts is awaited."""
        await self._require()
        async with self._reloads.turn():
            self._reloads.sent()
            try:
                await self._client.write("PUT", _SWITCH, {"value": on}, _SECONDS)
            except errors.GatewayError as error:
                if error.applied == "no":
                    self._reloads.seen()
                raise
            self._reloads.seen()
            await self._reloads.over()

    async def state(self) -> UsageState:
        await self._require()
        config = await self._client.read(_CONFIG)
        self._retention = _retention(config)
        recording = isinstance(config, Mapping) and config.get("usage-statistics-enabled") is True
        return UsageState(recording, self._retention)

    async def pop(self, limit: int) -> UsageBatch:
        await self._require()
        return await self._drain.take(limit)

    async def _pop(self, limit: int) -> UsageBatch:
        if self._retention is None:
            self._retention = _retention(await self._client.read(_CONFIG))
        before, self._popped = self._popped, self._clock.monotonic()
        reply = await self._client.once(Request("GET", _QUEUE, {"count": str(limit)}))
        listed = content(reply)
        if not isinstance(listed, list):
            raise errors.Unavailable("The gateway's usage queue is not a list of records.", applied="maybe")
        gap = before is not None and self._popped - before > self._retention
        return UsageBatch(usage_records(listed), self._clock.now_ms(), gap)

    async def _require(self) -> None:
        if not (await self._client.release()).has(Feature.USAGE_QUEUE):
            raise errors.Unsupported(Capability.USAGE)


def _retention(config: Any) -> float:
    seconds = config.get(_RETENTION) if isinstance(config, Mapping) else None
    return (
        float(seconds)
        if isinstance(seconds, int) and not isinstance(seconds, bool) and seconds > 0
        else _USUAL_RETENTION
    )
