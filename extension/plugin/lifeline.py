"""End of the process with its host: the kernel reports the end of the parent, however it ends.

A host that is killed calls nothing. PR_SET_PDEATHSIG depends on a thread of the parent, and go-plugin hands on the
host's own standard input, so neither tells. A pidfd does. The watch begins before the libraries are imported, which
takes seconds on a busy machine: a host killed in that time would leave an orphan that watches its new parent.
"""

import asyncio
import os
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_STANDARD_OUTPUT: Final = 1


def _exit() -> None:
    os._exit(0)


def _is_unread(pipe: int) -> bool:
    """Return whether the other end of a pipe, or of the socket that uvloop takes for one, is closed."""
    waiting = select.poll()
    waiting.register(pipe, 0)
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in waiting.poll(0))


class ParentWatch:
    """Watch over the parent process in a thread; until something else is to be called, its end ends this process."""

    def __init__(self) -> None:
        self._parent = os.getppid()
        self._ended: Callable[[], None] = _exit

    def start(self) -> None:
        """Begin to watch; standard output is still the pipe to the host."""
        try:
            descriptor = os.pidfd_open(self._parent)
        except ProcessLookupError:
            self._ended()
            return
        if _is_unread(_STANDARD_OUTPUT):
            self._ended()  # it ended before this process asked for its parent, which is another one by now
        threading.Thread(target=self._watch, args=(descriptor,), name="parent", daemon=True).start()

    @contextmanager
    def calling(self, ended: Callable[[], None]) -> Iterator[None]:
        """Call `ended` in this event loop instead, at once when the parent is gone already."""
        loop = asyncio.get_running_loop()

        def call() -> None:
            loop.call_soon_threadsafe(ended)

        self._ended = call
        if os.getppid() != self._parent:
            ended()
        try:
            yield
        finally:
            self._ended = _exit

    def _watch(self, descriptor: int) -> None:
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        waiting.poll()
        self._ended()
