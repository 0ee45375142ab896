"""End of the process with its host: the kernel reports the end of the parent, however it ends.

A host that is killed calls nothing. PR_SET_PDEATHSIG depends on a thread of the parent, and go-plugin hands on the
host's own standard input, so neither tells. A pidfd does.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def parent_watched(ended: Callable[[], None]) -> Iterator[None]:
    """Call `ended` once the parent process is gone, at once when it is gone already."""
    loop = asyncio.get_running_loop()
    parent = os.getppid()
    try:
        descriptor = os.pidfd_open(parent)
    except ProcessLookupError:
        ended()
        yield
        return
    try:
        if os.getppid() != parent:
            ended()

        def gone() -> None:
            loop.remove_reader(descriptor)
            ended()

        loop.add_reader(descriptor, gone)
        yield
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
