"""The gateway's own counters of accounts beside the records that arrived: more requests than records are a gap.

Theory of operation: stock releases (7.2.140) write no record of some requests that they count. A request is counted at
its end and its record arrives a moment later. So a first look takes the records before the counters, each further look
the counters before the records, once these are known to be complete: what is missing is never too much.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from adapter.clock import Clock
from adapter.port import Account, Gateway
from extension.engine.usage.collector import Collector
from extension.engine.usage.coverage import Gap, GapKind

LOOK_SECONDS: Final = 60.0
_FIRST_SECONDS: Final = 0.25
_SETTLED_MS: Final = 2_000  # between the count of a request and the arrival of its record
_TRIES: Final = 20


class CounterBalance:
    """Requests that a gateway counted and made no record of, by account, since the first look."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}
        self._counted: Mapping[str, int] = {}
        self._reported = 0

    def look(self, before: Mapping[str, int], counted: Mapping[str, int], after: Mapping[str, int]) -> int:
        """Return how many more records are missing than at the look before.

        `counted` are the gateway's counters, `before` and `after` the records by then and once all had arrived. A
        counter that is lower than at the look before tells that the gateway has started anew.
        """
        if any(counted.get(account, number) < number for account, number in self._counted.items()):
            self._first, self._reported = {}, 0
        self._counted = counted
        for account, number in counted.items():
            self._first.setdefault(account, number - before.get(account, 0))
        missing = sum(
            max(0, number - after.get(account, 0) - self._first[account]) for account, number in counted.items()
        )
        new = max(0, missing - self._reported)
        self._reported += new
        return new


class CounterWatch:
    """Compares a gateway's counters with the records of the collector, while that collects without a break."""

    def __init__(self, gateway: Gateway, clock: Clock, collector: Collector) -> None:
        self._gateway = gateway
        self._clock = clock
        self._collector = collector
        self._epoch: int | None = None
        self._balance = CounterBalance()
        self._looked_at = 0
        self._opened_at = clock.now_ms()
        self.pause = _FIRST_SECONDS
        """Seconds until the next look: the first one is due as soon as the collector has what waited for it."""

    @property
    def _collects(self) -> bool:
        status = self._collector.status
        complete = status.covered_until >= self._opened_at
        return complete and bool(status.recording) and self._collector.epoch is not None

    async def look(self) -> Gap | None:
        """Return the gap since the look before; None where there is none, or where nothing can be compared.

        Raises `GatewayError`.
        """
        epoch = self._collector.epoch
        self.pause = LOOK_SECONDS if self._collects else _FIRST_SECONDS
        if epoch is None or not self._collects or not (await self._gateway.usage_state()).retention:
            self._epoch = None  # in our own process every request has a record, and lost ones are counted
            return None
        if epoch != self._epoch:
            self._epoch, self._balance, self._looked_at = epoch, CounterBalance(), self._clock.now_ms()
        before = self._collector.recorded
        counted = _counters((await self._gateway.accounts()).accounts)
        at = self._clock.now_ms()
        if not await self._settled(at + _SETTLED_MS) or self._collector.epoch != epoch:
            return None
        missing = self._balance.look(before, counted, self._collector.recorded)
        start, self._looked_at = self._looked_at, at
        return Gap(start, at, GapKind.UNRECORDED, missing) if missing else None

    async def _settled(self, at: int) -> bool:
        for _ in range(_TRIES):
            if self._collector.status.covered_until >= at:
                return True
            await self._clock.sleep(1.0)
        return False


def _counters(accounts: tuple[Account, ...]) -> Mapping[str, int]:
    """Sum up by the gateway's index, which accounts with the same key share."""
    counted: Counter[str] = Counter()
    for account in accounts:
        if account.auth_index:
            counted[account.auth_index] += account.activity.successes + account.activity.failures
    return counted
