"""Start of a long-lived process: no core file with keys in it, and imports without the garbage collector."""

import gc
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def forbid_core_files() -> None:
    """Let no crash write the memory of this process, which holds the keys of the pool, into a core file."""
    for limits in ((0, 0), (0, resource.getrlimit(resource.RLIMIT_CORE)[1])):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, limits)
            return


@contextmanager
def without_collection() -> Iterator[None]:
    """Collect no garbage in the block, and never look at the objects it leaves: saves a tenth of a long import."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
