"""Permission: whether the work in progress may send requests to its gateway now.

Theory of operation: the process that works on a gateway has a lease of it. A process that was stopped past its term
goes on in the middle of something, although another one may have the lease by then. So the work carries its condition
with it, as a context variable that all of its tasks inherit, and an implementation asks for it as late as it can:
with the connection in hand, right before it sends. Work without a condition may always send.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

from adapter.port.errors import NotOwned

PERMISSION: Final[ContextVar[Callable[[], bool] | None]] = ContextVar("permission", default=None)
"""Condition of the work in progress; None where there is none."""


def is_permitted() -> bool:
    """Return whether a request may be sent."""
    permission = PERMISSION.get()
    return permission is None or permission()


def require_permission() -> None:
    """Make sure that a request may be sent.

    Raises:
        NotOwned: it may not, and nothing was sent.
    """
    if not is_permitted():
        raise NotOwned(
            "Nothing was sent: this process could not confirm in time that it owns the gateway, and another one may by "
            "now. List the pool again, and repeat what is missing."
        )
