"""Throttle: number of probes in flight, and the gateway's own cost per call."""

from dataclasses import dataclass
from typing import Final

from adapter.port import Gateway
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because

CHEAP_SECONDS: Final = 0.01
"""A call that costs the gateway less than this leaves its processor to others: we start at the operator's limit."""
LAG_SECONDS: Final = 0.01
"""A loop that is this late has more to do than it can."""
_COSTLY_START: Final = 4
_LEAST: Final = 2
_LEAST_SECONDS: Final = 0.5
_LEAST_COMPLETIONS: Final = 16
_GAIN: Final = 0.2
"""Least part of a growth that has to show in the rate."""
_FALLS: Final = 0.9
_GROWTH: Final = 1.5
_SHRINKAGE: Final = 0.75
_REST: Final = 8


@dataclass(frozen=True, slots=True)
class ProbePace:
    """The limit of probes in flight, and the gateway's own seconds in the latency of each.

    `notice` names a lower limit than the operator's, with its cause, and is empty otherwise.
    """

    workers: int
    seconds_per_call: float
    notice: ReasonList = NO_REASON


async def measure(gateway: Gateway, limit: int, accounts: int) -> ProbePace:
    """Take the operator's limit, at most one worker per account and connection; ask the gateway for its own cost."""
    about = await gateway.describe()
    most = limit if about.calls_at_once is None else min(limit, about.calls_at_once)
    limited = most < min(limit, accounts)
    return ProbePace(
        workers=max(1, min(most, accounts)),
        seconds_per_call=about.seconds_per_call,
        notice=because(ReasonCode.CONCURRENCY_LOWERED, most=max(1, most), limit=limit) if limited else NO_REASON,
    )


class Throttle:
    """Search for the number of probes in flight that still raises the rate, up to a limit.

    It looks at windows of at least half a second. It grows while the rate rises with it, steps back where it does not,
    shrinks while the event loop is late and the rate bears it, and then rests for some windows.
    """

    def __init__(self, pace: ProbePace, now: float) -> None:
        self._limit = pace.workers
        costly = pace.seconds_per_call >= CHEAP_SECONDS
        self.allowed = min(self._limit, _COSTLY_START) if costly else self._limit
        self._before = self.allowed
        self._rate = 0.0
        self._rest = 0
        self._open(now)

    def done(self, now: float, lag: float) -> int:
        """Count one finished probe, with how late the loop was (seconds), and return how many may be in flight."""
        self._count += 1
        self._lag += lag
        elapsed = now - self._since
        if elapsed >= _LEAST_SECONDS and self._count >= max(self.allowed, _LEAST_COMPLETIONS):
            self._judge(self._count / elapsed, self._lag / self._count)
            self._open(now)
        return self.allowed

    def _open(self, now: float) -> None:
        self._since, self._count, self._lag = now, 0, 0.0

    def _judge(self, rate: float, lag: float) -> None:
        before, self._before = self._before, self.allowed
        grown, shrunk = self.allowed > before, self.allowed < before
        needed = 1 + _GAIN * (self.allowed / before - 1)
        if (grown and rate < self._rate * needed) or (shrunk and rate < self._rate * _FALLS):
            self.allowed, self._rest = before, _REST
            self._before = before
            return
        self._rate = rate
        if self._rest:
            self._rest -= 1
        elif lag > LAG_SECONDS and self.allowed > _LEAST:
            self.allowed = max(_LEAST, int(self.allowed * _SHRINKAGE))
        elif lag <= LAG_SECONDS and self.allowed < self._limit:
            self.allowed = min(self._limit, max(self.allowed + 1, int(self.allowed * _GROWTH)))
