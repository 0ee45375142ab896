"""Admission of clients: their keys are compared here, with the one we hold, and never sent to the gateway.

Five typing mistakes of an operator would otherwise ban our address, not the operator's. The rules and texts are the
gateway's own: five failures in a row lock an address out for thirty minutes, the right key forgives those before it.
Only presented wrong keys count. Requests of other sites' pages are counted apart from those of the operator.
"""

import hmac
import json
import math
from typing import Final

from adapter.clock import Clock
from adapter.port import Admission, AdmissionAttempt, Admitted, Denied
from adapter.privacy.secret import Secret
from adapter.rules.client_address import counted_as

_REFUSED: Final = (
    "The gateway refuses the management key that this service was started with: "
    "start the service again with the new one."
)
_FAILURES_TO_BAN: Final = 5
_BAN_SECONDS: Final = 1800
_MOST_PEERS: Final = 10_000
_CROSS_SITE: Final = "cross-site"


class HeldKey:
    """Judges attempts by the key we hold. The table of failures is bounded: the oldest peer is forgotten first."""

    def __init__(self, key: Secret, clock: Clock) -> None:
        self._key = key.reveal().strip().encode("utf-8", "surrogatepass")
        self._clock = clock
        self._failures: dict[str, int] = {}
        self._banned_until: dict[str, float] = {}

    def admit(self, attempt: AdmissionAttempt) -> Admission:
        """Judge one attempt: the ban first, then the key, in constant time."""
        client = _counted(attempt)
        seconds_left = self._banned_until.get(client, 0.0) - self._clock.monotonic()
        if seconds_left > 0:
            return _denied(403, _banned(seconds_left), math.ceil(seconds_left))
        self._banned_until.pop(client, None)
        if not attempt.key:
            return _denied(401, "missing management key")
        if self.is_right(attempt.key):
            self._failures.pop(client, None)
            return Admitted()
        self._failed(client)
        return _denied(401, "invalid management key")

    def is_right(self, key: Secret) -> bool:
        """Compare a key with the one held, in constant time; nothing is counted."""
        return hmac.compare_digest(key.reveal().encode("utf-8", "surrogatepass"), self._key)

    def _failed(self, client: str) -> None:
        count = self._failures.pop(client, 0) + 1
        _make_room(self._failures)
        if count < _FAILURES_TO_BAN:
            self._failures[client] = count
            return
        _make_room(self._banned_until)
        self._banned_until[client] = self._clock.monotonic() + _BAN_SECONDS


def refused() -> Denied:
    """Deny an attempt because the gateway refuses the key we hold: none can be compared with it, and none counts."""
    return _denied(401, _REFUSED)


def _counted(attempt: AdmissionAttempt) -> str:
    """Name the client of an attempt; a page that the operator has open is not the operator."""
    client = counted_as(attempt.peer)
    return f"{client} {_CROSS_SITE}" if attempt.fetch_site == _CROSS_SITE else client


def _make_room(table: dict[str, int] | dict[str, float]) -> None:
    while len(table) >= _MOST_PEERS:
        del table[next(iter(table))]


def _banned(seconds_left: float) -> str:
    minutes, seconds = divmod(math.ceil(seconds_left), 60)
    return f"IP banned due to too many failed attempts. Try again in {minutes}m{seconds}s"


def _denied(status: int, text: str, retry_after: int | None = None) -> Denied:
    return Denied(status, json.dumps({"error": text}), retry_after)
