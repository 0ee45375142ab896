"""Token bucket of reads, whose price is known only when they have ended."""

from typing import Final

from adapter.clock import Clock

BUSY_SHARE: Final = 0.25
"""Share of the time that reads may take: at 40 reads a second one of 25 ms takes four tokens."""
_ONE: Final = 1 - 1e-6
"""A token, but for the error of adding fractions, which would ask for waits that no clock can measure."""


class TokenBucket:
    """Tokens that grow with time up to a limit; a debt delays the next read."""

    def __init__(self, clock: Clock, rate: float, burst_seconds: float, most_debt_seconds: float) -> None:
        self._clock = clock
        self._rate = rate
        self._most = max(1.0, rate * burst_seconds)
        self._most_debt = max(1.0, rate * most_debt_seconds)
        self._tokens = self._most
        self._at = clock.monotonic()

    def take(self) -> bool:
        """Take a token; false when there is none."""
        self._refill()
        if self._tokens < _ONE:
            return False
        self._tokens -= 1
        return True

    def charge(self, seconds: float) -> None:
        """Take the rest of the price of a read that took this time; the debt is limited."""
        self._refill()
        rest = max(0.0, seconds * self._rate / BUSY_SHARE - 1)
        self._tokens = max(-self._most_debt, self._tokens - rest)

    @property
    def delay(self) -> float:
        """Seconds until the next token."""
        self._refill()
        return max(0.0, (1 - self._tokens) / self._rate)

    def _refill(self) -> None:
        now = self._clock.monotonic()
        self._tokens = min(self._most, self._tokens + (now - self._at) * self._rate)
        self._at = now
