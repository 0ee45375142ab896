"""Admission of clients: their keys are compared here, with the one we hold, and never sent to the gateway.

Five typing mistakes of an operator would otherwise ban our address, not the operator's. The rules and texts are the
gateway's own: five failures in a row lock an address out for thirty minutes, the right key forgives those before it.
Only presented wrong keys count. Requests of other sites' pages are counted apart from those of the operator.
"""

import hmac
import json
from typing import Final

from adapter.clock import Clock
from adapter.port import Admission, AdmissionAttempt, Admitted, Denied
from adapter.privacy.secret import Secret
from adapter.rules.failed_attempts import FailedAttempts, client_of

_REFUSED: Final = (
    "The gateway refuses the management key that this service was started with: "
    "start the service again with the new one."
)


class HeldKey:
    """Judges attempts by the key we hold."""

    def __init__(self, key: Secret, clock: Clock) -> None:
        self._key = key.reveal().strip().encode("utf-8", "surrogatepass")
        self._failures = FailedAttempts(clock)

    def admit(self, attempt: AdmissionAttempt) -> Admission:
        """Judge one attempt: the ban first, then the key, in constant time."""
        client = client_of(attempt.peer, attempt.fetch_site)
        if (ban := self._failures.ban(client)) is not None:
            return _denied(403, ban.text, ban.seconds)
        if not attempt.key:
            return _denied(401, "missing management key")
        if self.is_right(attempt.key):
            self._failures.forgive(client)
            return Admitted()
        self._failures.count(client)
        return _denied(401, "invalid management key")

    def is_right(self, key: Secret) -> bool:
        """Compare a key with the one held, in constant time; nothing is counted."""
        return hmac.compare_digest(key.reveal().encode("utf-8", "surrogatepass"), self._key)


def refused() -> Denied:
    """Deny an attempt because the gateway refuses the key we hold: none can be compared with it, and none counts."""
    return _denied(401, _REFUSED)


def _denied(status: int, text: str, retry_after: int | None = None) -> Denied:
    return Denied(status, json.dumps({"error": text}), retry_after)
