"""Bans of clients that present wrong keys: five in a row lock an address out for thirty minutes.

Requests of other sites' pages are counted apart from those of the operator. The table is bounded: the oldest client is
forgotten first.
"""

import math
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from adapter.rules.client_address import counted_as

_FAILURES_TO_BAN: Final = 5
_BAN_SECONDS: Final = 1800
_MOST_CLIENTS: Final = 10_000
_CROSS_SITE: Final = "cross-site"


@dataclass(frozen=True, slots=True)
class Ban:
    """A lock-out with the seconds until its end."""

    seconds: int

    @property
    def text(self) -> str:
        """The gateway's own words for it."""
        minutes, seconds = divmod(self.seconds, 60)
        return f"IP banned due to too many failed attempts. Try again in {minutes}m{seconds}s"


class FailedAttempts:
    """Failures in a row by client."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures: dict[str, int] = {}
        self._banned_until: dict[str, float] = {}

    def ban(self, client: str) -> Ban | None:
        """Return the ban of a client; None without one."""
        seconds = self._banned_until.get(client, 0.0) - self._clock.monotonic()
        if seconds > 0:
            return Ban(math.ceil(seconds))
        self._banned_until.pop(client, None)
        return None

    def forgive(self, client: str) -> None:
        """Forget the failures of a client that has shown a right key."""
        self._failures.pop(client, None)

    def count(self, client: str) -> None:
        """Count a wrong key."""
        failures = self._failures.pop(client, 0) + 1
        _make_room(self._failures)
        if failures < _FAILURES_TO_BAN:
            self._failures[client] = failures
            return
        _make_room(self._banned_until)
        self._banned_until[client] = self._clock.monotonic() + _BAN_SECONDS


def client_of(peer: str, fetch_site: str) -> str:
    """Name the client of an attempt; a page that the operator has open is not the operator."""
    client = counted_as(peer)
    return f"{client} {_CROSS_SITE}" if fetch_site == _CROSS_SITE else client


def _make_room(table: dict[str, int] | dict[str, float]) -> None:
    while len(table) >= _MOST_CLIENTS:
        del table[next(iter(table))]
