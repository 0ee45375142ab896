"""Pause of all automation."""

from typing import Self

from extension.api.payloads.payload import Payload
from extension.store.pool.pools import AutomationPause


class AutomationRequest(Payload):
    """Pause all automation, or let it act again."""

    paused: bool


class AutomationAnswer(Payload):
    """State of the pause of all automation: its beginning (ms UTC) and its author."""

    paused: bool
    paused_at: int | None
    paused_by: str

    @classmethod
    def of(cls, pause: AutomationPause | None) -> Self:
        """Show a pause, or that there is none."""
        return cls(
            paused=pause is not None,
            paused_at=None if pause is None else pause.at,
            paused_by="" if pause is None else pause.by,
        )
