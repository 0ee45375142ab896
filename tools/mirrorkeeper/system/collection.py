"""Python's search for cycles among objects, left out while one command makes millions that have none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def collect() -> None:
    """Search again, for a command that may run for long."""
    gc.enable()


def leave_to_the_system() -> None:
    """Leave all objects to the end of the process: the searches before it take a tenth of a short command's time."""
    gc.freeze()


@contextmanager
def without_collection() -> Iterator[None]:
    """Leave the search out within the block: for rows and syntax trees it takes a tenth of the time of a command.

    The rest of them after the block is left out of later searches, too: the first one would look at all of it.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.freeze()
            gc.enable()
