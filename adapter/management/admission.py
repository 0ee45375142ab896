"""Our own door: keys are compared here, with the one we hold, and never shown to the gateway.

Five typing mistakes of an operator would otherwise ban us, not him. The rules and texts are the gateway's own: five
failures in a row lock an address out for thirty minutes, the right key forgives those before it.
"""

import hmac
import json
import math
from typing import Final

from adapter.clock import Clock
from adapter.port import Admission, AdmissionAttempt, Admitted, Denied
from adapter.privacy.secret import Secret

_FAILURES_TO_BAN: Final = 5
_BAN_SECONDS: Final = 1800
_MOST_PEERS: Final = 10_000


class HeldKey:
    """Judges attempts by the key we hold. The table of failures is bounded: the oldest peer is forgotten first."""

    def __init__(self, key: Secret, clock: Clock) -> None:
        self._key = key.reveal().strip().encode("utf-8", "surrogatepass")
        self._clock = clock
        self._failures: dict[str, int] = {}
        self._banned_until: dict[str, float] = {}

    def admit(self, attempt: AdmissionAttempt) -> Admission:
        """Judge one attempt: the ban first, then the key, in constant time."""
        left = self._banned_until.get(attempt.peer, 0.0) - self._clock.monotonic()
        if left > 0:
            return _denied(403, _banned(left), math.ceil(left))
        self._banned_until.pop(attempt.peer, None)
        given = attempt.key.reveal().encode("utf-8", "surrogatepass") if attempt.key else b""
        if given and hmac.compare_digest(given, self._key):
            self._failures.pop(attempt.peer, None)
            return Admitted()
        self._failed(attempt.peer)
        return _denied(401, "invalid management key" if given else "missing management key")

    def _failed(self, peer: str) -> None:
        count = self._failures.pop(peer, 0) + 1
        _make_room(self._failures)
        if count < _FAILURES_TO_BAN:
            self._failures[peer] = count
            return
        _make_room(self._banned_until)
        self._banned_until[peer] = self._clock.monotonic() + _BAN_SECONDS


def _make_room(table: dict[str, int] | dict[str, float]) -> None:
    while len(table) >= _MOST_PEERS:
        del table[next(iter(table))]


def _banned(left: float) -> str:
    minutes, seconds = divmod(math.ceil(left), 60)
    return f"IP banned due to too many failed attempts. Try again in {minutes}m{seconds}s"


def _denied(status: int, text: str, retry_after: int | None = None) -> Denied:
    return Denied(status, json.dumps({"error": text}), retry_after)
