"""Core files: a crash would write the memory of this process to disk, with the management key and those of the pool."""

import resource
from contextlib import suppress


def forbid_core_files() -> None:
    """Have no crash of this process leave a core file; a parent's or a shell's limit would count otherwise."""
    for wanted in ((0, 0), (0, resource.getrlimit(resource.RLIMIT_CORE)[1])):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, wanted)
            return
