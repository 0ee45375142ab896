"""Shared reading: what the steps of one command read of a gateway, so that each step need not ask again.

Theory of operation: plan, write and result of a command ask for the same parts of a pool within a moment, and each
request costs a gateway elsewhere time and a line in its log. So the work carries its answers with it, as a context
variable that all of its tasks inherit. An implementation that sends requests takes an answer from there where its age
does no harm, puts in each new one, and removes what its own writes change. Answers outlive neither the command nor
`SHARED_SECONDS`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

SHARED_SECONDS: Final = 5.0
"""Longest time for which an answer is shared."""


class SharedReading:
    """Answers by address, with the monotonic second of their requests."""

    def __init__(self) -> None:
        self._answers: dict[str, tuple[float, Any]] = {}
        self._open = True

    def get(self, address: str, now: float) -> Any | None:
        """Return the answer of an address; None where there is none that is young enough."""
        at, answer = self._answers.get(address, (0.0, None))
        return answer if answer is not None and now - at < SHARED_SECONDS else None

    def put(self, address: str, at: float, answer: Any) -> None:
        """Share an answer."""
        if self._open:
            self._answers[address] = (at, answer)

    def forget(self, *addresses: str) -> None:
        """Remove what a write changes."""
        for address in addresses:
            self._answers.pop(address, None)

    def close(self) -> None:
        """Share nothing any more, also with tasks that outlive the command."""
        self._open = False
        self._answers.clear()


_CURRENT: Final[ContextVar[SharedReading | None]] = ContextVar("reading", default=None)


def current_reading() -> SharedReading | None:
    """Return the shared reading of the work in progress; None where it has none."""
    return _CURRENT.get()


@contextmanager
def shared_reading() -> Iterator[None]:
    """Share what is read within."""
    reading = SharedReading()
    token = _CURRENT.set(reading)
    try:
        yield
    finally:
        _CURRENT.reset(token)
        reading.close()
