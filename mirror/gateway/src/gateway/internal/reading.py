"""Functions in threads that the end of the process does not wait for.

Parsing the largest config.yaml takes several seconds, and a thread cannot be cancelled. The end of the event loop waits
for the threads of a pool, but not for these.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class ReadingLeft(Exception):  # noqa: N818 - it names what happened
    """The gateway ends before the function has returned."""


class Reading:
    """Runs functions in threads of their own until it is closed; a crash in the middle of one must do no harm."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()
        self._closed = False

    async def run(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Return the function's result; raises its errors, and ``ReadingLeft``."""
        if self._closed:
            raise ReadingLeft
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        results: list[T] = []
        errors: list[BaseException] = []

        def work() -> None:
            try:
                results.append(function(*arguments, **options))
            except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
                errors.append(error)
            with suppress(RuntimeError):  # the loop is closed, as it may be once this was left
                loop.call_soon_threadsafe(_finish, done)

        self._waiting.add(done)
        try:
            threading.Thread(target=work, name="reading", daemon=True).start()
            await done
        finally:
            self._waiting.discard(done)
        if errors:
            raise errors[0]
        return results[0]

    def leave(self) -> None:
        """Stop waiting for all functions."""
        self._closed = True
        for done in self._waiting:
            if not done.done():
                done.set_exception(ReadingLeft())


def _finish(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)
