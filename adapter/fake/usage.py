"""The usage queue of a fake gateway: records wait in it until somebody takes them out."""

from collections import deque

from adapter.clock import Clock
from adapter.port import UsageBatch, UsageRecord
from adapter.rules.queue_drain import QueueDrain


class FakeUsage:
    """Off until it is switched on; what waits when it is switched off can still be popped, and nothing is ever lost."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._handover = QueueDrain(self._pop)
        self._records: deque[UsageRecord] = deque()
        self._on = False

    def spend(self, record: UsageRecord) -> None:
        """Take a record in, as after a request; while the queue is off it is dropped."""
        if self._on:
            self._records.append(record)

    def switch(self, on: bool) -> None:
        """See the port."""
        self._on = on

    async def pop(self, limit: int) -> UsageBatch:
        """See the port."""
        return await self._handover.take(limit)

    async def _pop(self, limit: int) -> UsageBatch:
        records = tuple(self._records.popleft() for _ in range(min(limit, len(self._records))))
        return UsageBatch(records, self._clock.now_ms(), gap=False)
