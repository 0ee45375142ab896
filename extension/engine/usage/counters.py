"""The gateway's own counters of accounts beside the records that arrived: more requests than records are a gap.

Theory of operation: stock releases (7.2.140) write no record of some requests that they count. A request is counted at
its end and its record arrives a moment later. So a first look takes the records before the counters, each further look
the counters before the records, once these are known to be complete: what is missing is never too much.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from adapter.clock import Clock
from adapter.port import Gateway
from extension.engine.usage.collector import Collector
from extension.engine.usage.coverage import Gap, GapKind

LOOK_SECONDS: Final = 60.0
_FIRST_SECONDS: Final = 0.25
_SETTLED_MS: Final = 2_000  # between the count of a request and the arrival of its record
_TRIES: Final = 20


class CounterBalance:
    """Requests that a gateway counted and made no record of, by account, since the first look.

    Records that arrive between the counters and the end of a look are of later requests, and hide as many missing ones
    of their account until a later look. So these are missing since the last look that nothing could hide from.
    """

    def __init__(self, before: Mapping[str, int], counted: Mapping[str, int], at: int) -> None:
        self._counted = counted
        self._first = {account: number - before.get(account, 0) for account, number in counted.items()}
        self._reported = Counter[str]()
        self._began = at
        self._certain: dict[str, int] = {}

    def look(
        self, before: Mapping[str, int], counted: Mapping[str, int], after: Mapping[str, int], at: int
    ) -> tuple[int, int]:
        """Return how many more records are missing than at the look before, and since when.

        `counted` are the gateway's counters at a time, `before` and `after` the records by then and once all had
        arrived. A counter that is lower than at the look before tells that the gateway has started anew.
        """
        if any(counted.get(account, number) < number for account, number in self._counted.items()):
            self._first, self._reported = {}, Counter[str]()
        self._counted = counted
        missing, since = 0, at
        for account, number in counted.items():
            first = self._first.setdefault(account, number - before.get(account, 0))
            new = number - after.get(account, 0) - first - self._reported[account]
            if new > 0:
                self._reported[account] += new
                missing, since = missing + new, min(since, self._certain.get(account, self._began))
            if after.get(account, 0) == before.get(account, 0):
                self._certain[account] = at
        return missing, since


class CounterWatch:
    """Compares a gateway's counters with the records of the collector, while that collects without a break."""

    def __init__(self, gateway: Gateway, clock: Clock, collector: Collector) -> None:
        self._gateway = gateway
        self._clock = clock
        self._collector = collector
        self._epoch: int | None = None
        self._balance: CounterBalance | None = None
        self._opened_at = clock.now_ms()
        self.pause = _FIRST_SECONDS
        """Seconds until the next look."""

    @property
    def _collects(self) -> bool:
        complete = self._collector.status.covered_until >= self._opened_at
        return complete and bool(self._collector.status.recording) and self._collector.epoch is not None

    async def look(self) -> Gap | None:
        """Return the gap since the look before; None where there is none, or where nothing can be compared.

        The first look is taken before the collector has what waited for it, so that later requests are compared.
        Raises `GatewayError`.
        """
        epoch, recording = self._collector.epoch, bool(self._collector.status.recording)
        self.pause = LOOK_SECONDS if self._collects else _FIRST_SECONDS
        if epoch is None or not recording or epoch != self._epoch:
            self._balance = None
        if epoch is None or not recording:
            return None
        if self._balance is None:
            await self._begin(epoch)
            return None
        if not self._collects:
            return None
        before = self._collector.recorded
        counted = await self._gateway.request_counts()
        at = self._clock.now_ms()
        if not await self._settled(at + _SETTLED_MS) or self._collector.epoch != epoch:
            return None
        missing, since = self._balance.look(before, counted, self._collector.recorded, at)
        return Gap(since, at, GapKind.UNRECORDED, missing) if missing else None

    async def _begin(self, epoch: int) -> None:
        """Take the first counters; in our own process every request has a record, and lost ones are counted."""
        if (await self._gateway.usage_state()).retention:
            before = self._collector.recorded
            counted = await self._gateway.request_counts()
            self._epoch, self._balance = epoch, CounterBalance(before, counted, self._clock.now_ms())

    async def _settled(self, at: int) -> bool:
        for _ in range(_TRIES):
            if self._collector.status.covered_until >= at:
                return True
            await self._clock.sleep(1.0)
        return False
