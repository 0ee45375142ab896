"""The usage queue of the gateway in our own process: switched in the configuration, popped in one turn of the loop."""

from gateway.internal.operations import usage
from gateway.internal.operations.changing import Refused
from gateway.internal.operations.settings import write_setting
from gateway.internal.runtime import Runtime

from adapter.clock import Clock
from adapter.port import UsageBatch, UsageState, errors
from adapter.rules.queue_drain import QueueDrain
from adapter.rules.usage_record import usage_records

_SWITCH = "usage-statistics-enabled"


class EmbeddedUsageQueue:
    """Switches and pops. There is a gap when the gateway gave records up since our last pop: it counts them."""

    def __init__(self, runtime: Runtime, clock: Clock) -> None:
        self._runtime = runtime
        self._clock = clock
        self._drain = QueueDrain(self._pop)
        self._lost: int | None = None

    async def switch(self, on: bool) -> None:
        """See the port; a switch that is in the configuration already is not written again."""
        try:
            await write_setting(self._runtime, _SWITCH, on)
        except Refused as refused:
            failure = errors.Unavailable(f"Usage could not be switched: {refused}.", applied="maybe")
        else:
            return
        raise failure

    def state(self) -> UsageState:
        """See the port; the queue is memory of this process."""
        return UsageState(self._runtime.configuration.usage_statistics_enabled, None)

    async def pop(self, limit: int) -> UsageBatch:
        return await self._drain.take(limit)

    async def _pop(self, limit: int) -> UsageBatch:
        elements = await usage.pop_usage(self._runtime, limit)
        before, self._lost = self._lost, usage.lost_usage(self._runtime)
        lost = 0 if before is None else self._lost - before
        return UsageBatch(usage_records(elements), self._clock.now_ms(), lost > 0, lost)
