"""Phases of a connection, each with one deadline. Pure."""

from enum import Enum
from typing import Final

from extension.serving.connections.limits import ConnectionLimits


class Phase(Enum):
    """State of a connection between its client and its application."""

    HEAD = "a head is expected or has begun"
    BODY = "a body arrives, and its answer is not complete"
    ANSWER = "the request is complete, its answer is not"
    LEFTOVER = "a body arrives after its answer"
    KEPT = "the answer is complete, and no other request has begun"


IDLE: Final = frozenset({Phase.HEAD, Phase.LEFTOVER, Phase.KEPT})
"""Phases in which a connection may be closed for another one."""


def seconds_of(phase: Phase, limits: ConnectionLimits, keep_alive: float) -> float | None:
    """Return the time allowed for a phase; None without a limit."""
    match phase:
        case Phase.ANSWER:
            return None
        case Phase.BODY:
            return limits.body_seconds
        case Phase.KEPT:
            return keep_alive
        case _:
            return limits.head_seconds
