"""The usage of a fake gateway: records go to subscribers, or wait in a queue until they are popped."""

import asyncio
from collections import deque

from adapter.clock import Clock
from adapter.port import UsageBatch, UsageRecord, UsageState, errors
from adapter.rules.queue_drain import QueueDrain

SUBSCRIBER_BUFFER = 256
"""Records a subscriber may be behind before it is disconnected, as by a stock gateway."""
_RETENTION = 60.0


class FakeUsage:
    """Queue and subscribers; off at first. Records that wait when it is switched off can still be popped."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._drain = QueueDrain(self._pop)
        self._records: deque[UsageRecord] = deque()
        self._subscriptions: list[FakeSubscription] = []
        self._on = False
        self._lost_answers = 0

    def spend(self, record: UsageRecord) -> None:
        """Take a record in, as after a request; while usage is off it is dropped.

        As with a stock gateway, a subscriber whose buffer is full loses this record and its subscription.
        """
        if not self._on:
            return
        if not self._subscriptions:
            self._records.append(record)
        for subscription in tuple(self._subscriptions):
            subscription.offer(record)

    def disconnect(self) -> None:
        for subscription in tuple(self._subscriptions):
            subscription.end()

    def go_silent(self) -> None:
        """Lose everything from here on, without a word: every subscription looks as one without records."""
        for subscription in self._subscriptions:
            subscription.go_silent()

    def break_off(self) -> None:
        """End every subscription with the loss of what was on its way."""
        for subscription in tuple(self._subscriptions):
            subscription.lose()
            subscription.end()

    def lose_answer(self) -> None:
        """Let the next pop take records whose answer does not arrive."""
        self._lost_answers += 1

    def restart(self) -> None:
        """Lose what waits, as a gateway that is started again."""
        self._records.clear()
        self.disconnect()

    def switch(self, on: bool) -> None:
        self._on = on

    def state(self) -> UsageState:
        return UsageState(self._on, _RETENTION)

    def subscribe(self) -> "FakeSubscription":
        subscription = FakeSubscription(self._clock, self._subscriptions)
        self._subscriptions.append(subscription)
        return subscription

    async def pop(self, limit: int) -> UsageBatch:
        return await self._drain.take(limit)

    async def _pop(self, limit: int) -> UsageBatch:
        records = tuple(self._records.popleft() for _ in range(min(limit, len(self._records))))
        if self._lost_answers:
            self._lost_answers -= 1
            raise errors.Unavailable("The answer was lost.", applied="maybe")
        return UsageBatch(records, self._clock.now_ms(), gap=False)


class FakeSubscription:
    """A subscription in memory; see `UsageSubscription`."""

    def __init__(self, clock: Clock, all_of_them: "list[FakeSubscription]") -> None:
        self._clock = clock
        self._all = all_of_them
        self._waiting: deque[UsageRecord] = deque()
        self._changed = asyncio.Event()
        self._known_until = clock.now_ms()
        self._silent = False

    def offer(self, record: UsageRecord) -> None:
        """Take a record in, or end when the buffer is full."""
        if self._silent:
            return
        if len(self._waiting) >= SUBSCRIBER_BUFFER:
            self.end()
            return
        self._waiting.append(record)
        self._changed.set()

    def go_silent(self) -> None:
        self._silent = True

    def lose(self) -> None:
        self._waiting.clear()

    def end(self) -> None:
        """Break off; what was taken in can still be received."""
        if self in self._all:
            self._all.remove(self)
        self._changed.set()

    async def receive(self, limit: int, seconds: float) -> UsageBatch | None:
        if not self._waiting and self in self._all:
            self._changed.clear()
            waiting = asyncio.ensure_future(self._changed.wait())
            timer = asyncio.ensure_future(self._clock.sleep(seconds))
            try:
                await asyncio.wait({waiting, timer}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (waiting, timer):
                    task.cancel()
                await asyncio.wait({waiting, timer})
        if not self._waiting and self not in self._all:
            return None
        records = tuple(self._waiting.popleft() for _ in range(min(limit, len(self._waiting))))
        if not self._waiting and not self._silent and self in self._all:
            self._known_until = self._clock.now_ms()
        return UsageBatch(records, self._known_until, gap=False)

    async def close(self) -> bool:
        confirmed = self in self._all and not self._silent
        self.end()
        return confirmed
