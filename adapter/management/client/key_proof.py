"""Proof of the management key we hold: the last request the gateway served with it, and whether it refused it."""

from typing import Final

from adapter.clock import Clock

PROOF_SECONDS: Final = 30.0
"""Time for which a served request proves the key; afterwards the gateway is asked again before the key counts."""


class KeyProof:
    """State of the key. A refusal is final: another key comes with another process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._served_at: float | None = None
        self._refused = False

    @property
    def refused(self) -> bool:
        """True once the gateway has refused the key (401)."""
        return self._refused

    @property
    def is_recent(self) -> bool:
        """True while the last request served with the key proves it."""
        return self._served_at is not None and self._clock.monotonic() - self._served_at < PROOF_SECONDS

    def served(self) -> None:
        """Note that a request was served with the key."""
        self._served_at = self._clock.monotonic()

    def refuse(self) -> None:
        """Note that the gateway refused the key."""
        self._refused = True
