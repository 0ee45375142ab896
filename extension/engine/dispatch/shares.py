"""Shares: how many gateways a worker takes, decided from the sizes of the pools and the workers there are."""

import math
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from extension.store.workers import WorkerRecord

ACCOUNT_BYTES: Final = 2_000
"""Memory of an account in an open pool."""
_LIMITS: Final = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def capacity(limits: Sequence[str] = _LIMITS) -> int:
    """Return how many accounts fit into half of the memory of this machine, or of its container."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in map(Path, limits):
        text = path.read_text().strip() if path.is_file() else ""
        if text.isdecimal():
            memory = min(memory, int(text))
    return memory // 2 // ACCOUNT_BYTES


def slots(sizes: Mapping[int, int], workers: int, most_accounts: int) -> int:
    """Return the slots of a worker among so many: its share of the gateways and one more, as far as memory holds them.

    `sizes` are the accounts of each gateway. A worker has one slot at least, whatever its memory.
    """
    share = math.ceil(len(sizes) / max(1, workers)) + 1
    mean = max(1, sum(sizes.values()) // max(1, len(sizes)))
    return max(1, min(share, most_accounts // mean))


def surplus(visits: Mapping[int, bool], room: int) -> Collection[int]:
    """Return the gateways to give back of those visited, by whether each rests: what rests beyond the slots."""
    resting = sorted(gateway for gateway, rests in visits.items() if rests)
    return resting[: max(0, len(visits) - room)]


def wakes(worker_id: str, workers: Sequence[WorkerRecord]) -> bool:
    """Return whether a worker is the one that wakes all gateways: the oldest."""
    return bool(workers) and workers[0].id == worker_id
