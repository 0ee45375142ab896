"""Python's search for cycles among objects, left out while one command makes millions that have none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Leave the search out within the block: for rows and syntax trees it takes a tenth of the time of a command."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
