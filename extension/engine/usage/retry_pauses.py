"""Pauses between tries."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from extension.store.errors import StoreError

T = TypeVar("T")

_FIRST: Final = 0.5
_LONGEST: Final = 15.0


class RetryPauses:
    """Pauses in seconds, each twice as long as the one before; the first one again after a try that lasted."""

    def __init__(self) -> None:
        self._next = _FIRST

    def after(self, lasted_ms: int = 0) -> float:
        """Return the pause after a failed try, which lasted some time."""
        pause = _FIRST if lasted_ms >= _LONGEST * 1000 else self._next
        self._next = min(_LONGEST, pause * 2)
        return pause


async def until_stored(
    write: Callable[[], Awaitable[T]],
    refused: Callable[[StoreError], None],
    pause: Callable[[float], Awaitable[None]],
) -> T:
    """Write until the database takes it; `refused` is told of each failure and may raise it."""
    pauses = RetryPauses()
    while True:
        try:
            return await write()
        except StoreError as error:
            refused(error)
            await pause(pauses.after())
