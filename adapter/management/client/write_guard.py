"""Condition on the writes of a batch to a gateway: of several processes only the one that leads may send them."""

from collections.abc import Callable

from adapter.port import errors


class WriteGuard:
    """Asked right before each write is sent; without a condition every write may be."""

    def __init__(self) -> None:
        self._allowed: Callable[[], bool] = lambda: True

    def require(self, allowed: Callable[[], bool]) -> None:
        """Take the condition."""
        self._allowed = allowed

    def check(self, *, batch: bool) -> None:
        """Make sure that a write of a batch may be sent; a single one, which a person asks for now, always may.

        Raises:
            Unavailable: it may not, and nothing was sent.
        """
        if batch and not self._allowed():
            raise errors.Unavailable(
                "Nothing was sent: this process could not confirm in time that it leads, and another one may lead now. "
                "List the pool again, and repeat what is missing."
            )
