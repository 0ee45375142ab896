"""What a process uses, as the kernel counts it."""

import os
from pathlib import Path

_KIB = 1024


def resident(process: int) -> float:
    """Return the resident memory of a process in MiB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _KIB / _KIB


def computing(process: int) -> float:
    """Return the seconds a process has computed so far, all its threads together."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
