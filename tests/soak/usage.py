"""Processor time and memory of a process, as Linux counts them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Usage:
    """Processor seconds of all threads so far, and the most memory the process ever had, in megabytes."""

    cpu_seconds: float
    peak_megabytes: float


def usage_of(process: int | str = "self") -> Usage:
    """Read the usage of a running process, this one by default."""
    place = Path("/proc") / str(process)
    fields = (place / "stat").read_text("ascii").rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])  # utime and stime, counted from the field after the name
    lines = (place / "status").read_text("ascii").splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), peak / 1024)
