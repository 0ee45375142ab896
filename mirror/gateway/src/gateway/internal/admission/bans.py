"""Counts failed log-ins per client address and bans those who guess."""

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
    """The failures of every client address, in memory only.

    Five failures in a row ban an address for thirty minutes, whatever its place: loopback addresses are banned too,
    and a correct key does not help while the ban lasts. A success forgets the failures. Addresses that were not heard
    of for two hours are dropped, at most once an hour.

    Memory is bounded: of the addresses that are counted, and of those that are banned, the one that failed longest ago
    gives way to a new one. A guesser gains nothing by it: making an address give way takes a failure of each of as many
    others.

    ``monotonic`` gives seconds on a clock that never jumps; ``most`` is how many addresses are counted, and how many
    are banned, at the same time.
    """

    def __init__(self, monotonic: Callable[[], float], most: int = MOST_CLIENTS) -> None:
        self._monotonic = monotonic
        self._most = most
        self._clients: OrderedDict[str, _Attempts] = OrderedDict()
        self._banned: OrderedDict[str, _Attempts] = OrderedDict()
        self._swept_at = monotonic()

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._clients) + len(self._banned)

    def remaining(self, client: str) -> float | None:
        """Seconds until the ban of this address ends, or None when it is not banned."""
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
        """Count one failure of this address; the fifth in a row bans it."""
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
        """Forget the failures of this address."""
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
            for client in [client for client, seen in table.items() if now - seen.last_seen > IDLE_SECONDS]:
                del table[client]
