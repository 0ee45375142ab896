"""Failed authentications by client address, and bans."""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

FAILURES_TO_BAN = 5
BAN_SECONDS = 30 * 60.0
IDLE_SECONDS = 2 * 3600.0
SWEEP_SECONDS = 3600.0
MOST_CLIENTS = 10_000


@dataclass(slots=True)
class _Attempts:
    failures: int
    banned_until: float | None
    last_seen: float


class BanTable:
    """Failures by client address, in memory only.

    Five failures in a row ban an address for thirty minutes, loopback addresses included; a correct key does not help
    during the ban. A success clears the failures. Addresses idle for two hours are dropped, at most once an hour.

    At most ``most`` addresses are counted, and as many banned; the one that failed longest ago gives way to a new one.
    Guessing gains nothing by that: it takes a failure of each of as many other addresses.
    """

    def __init__(self, monotonic: Callable[[], float], most: int = MOST_CLIENTS) -> None:
        self._monotonic = monotonic
        self._most = most
        self._clients: OrderedDict[str, _Attempts] = OrderedDict()
        self._banned: OrderedDict[str, _Attempts] = OrderedDict()
        self._swept_at = monotonic()

    def __len__(self) -> int:
        return len(self._clients) + len(self._banned)

    def remaining(self, client: str) -> float | None:
        """Return the seconds until the ban of an address ends, None when it is not banned."""
        attempts = self._banned.get(client)
        if attempts is None or attempts.banned_until is None:
            return None
        now = self._monotonic()
        attempts.last_seen = now
        if now < attempts.banned_until:
            return attempts.banned_until - now
        del self._banned[client]
        return None

    def failed(self, client: str) -> None:
        """Count a failure; the fifth in a row bans the address."""
        now = self._monotonic()
        self._sweep(now)
        attempts = self._clients.pop(client, None) or _Attempts(failures=0, banned_until=None, last_seen=now)
        attempts.last_seen = now
        attempts.failures += 1
        if attempts.failures >= FAILURES_TO_BAN:
            attempts.failures, attempts.banned_until = 0, now + BAN_SECONDS
            self._banned[client] = attempts
        else:
            self._clients[client] = attempts
        self._make_room()

    def succeeded(self, client: str) -> None:
        self._clients.pop(client, None)
        self._banned.pop(client, None)

    def _make_room(self) -> None:
        for table in (self._clients, self._banned):
            while len(table) > self._most:
                table.popitem(last=False)

    def _sweep(self, now: float) -> None:
        if now - self._swept_at < SWEEP_SECONDS:
            return
        self._swept_at = now
        for table in (self._clients, self._banned):
            for client in [client for client, attempts in table.items() if now - attempts.last_seen > IDLE_SECONDS]:
                del table[client]


_SECONDS_PER_MINUTE = 60
_SECONDS_PER_HOUR = 3600


def go_duration(seconds: float) -> str:
    """Format whole seconds, halves rounded away from zero, as Go does: ``59s``, ``29m59s``, ``1h0m0s``."""
    total = math.floor(max(seconds, 0.0) + 0.5)
    hours, rest = divmod(total, _SECONDS_PER_HOUR)
    minutes, whole = divmod(rest, _SECONDS_PER_MINUTE)
    if hours:
        return f"{hours}h{minutes}m{whole}s"
    if minutes:
        return f"{minutes}m{whole}s"
    return f"{whole}s"
