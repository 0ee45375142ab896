"""The ban table of a fake gateway: five wrong keys in a row lock an address out for thirty minutes."""

import hmac
import json
import math

from adapter.clock import Clock
from adapter.port import Admission, AdmissionAttempt, Admitted, Denied

FAILURES_TO_BAN = 5
BAN_SECONDS = 1800


class FakeAdmission:
    """Lets the one right key in, from loopback only, and counts failures by peer."""

    def __init__(self, key: str, clock: Clock) -> None:
        self._key = key
        self._clock = clock
        self._failures: dict[str, int] = {}
        self._banned_until: dict[str, float] = {}

    def admit(self, attempt: AdmissionAttempt) -> Admission:
        """Judge one attempt in the stock gateway's order: ban, place, key."""
        left = self._banned_until.get(attempt.peer, 0.0) - self._clock.monotonic()
        if left > 0:
            return _denied(403, "IP banned due to too many failed attempts. Try again later", math.ceil(left))
        if attempt.peer not in {"127.0.0.1", "::1"}:
            return _denied(403, "remote management disabled")
        given = attempt.key.reveal() if attempt.key else ""
        if hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self._key.encode()):
            self._failures.pop(attempt.peer, None)
            return Admitted()
        return self._failed(attempt.peer, "invalid management key" if given else "missing management key")

    def _failed(self, peer: str, text: str) -> Denied:
        count = self._failures.get(peer, 0) + 1
        self._failures[peer] = count % FAILURES_TO_BAN
        if count >= FAILURES_TO_BAN:
            self._banned_until[peer] = self._clock.monotonic() + BAN_SECONDS
        return _denied(401, text)


def _denied(status: int, text: str, retry_after: int | None = None) -> Denied:
    return Denied(status, json.dumps({"error": text}), retry_after)
