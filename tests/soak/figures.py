"""Figures of one pass over a pool, and the table that holds several against the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds it took, processor seconds of its process, peak memory, and requests that the providers had."""

    wall: float
    cpu: float
    peak_megabytes: float
    requests: int


def table(title: str, accounts: int, passes: Mapping[str, Figures]) -> str:
    """One line a pass; the ratio is its rate to that of the first."""
    first = next(iter(passes.values())).wall
    heads = ("wall s", "CPU s", "peak MB", "requests", "accounts/s", "rate to first")
    lines = [title, f"  {'':36}" + "".join(f"{head:>14}" for head in heads)]
    for name, figures in passes.items():
        values = (
            f"{figures.wall:.2f}",
            f"{figures.cpu:.2f}",
            f"{figures.peak_megabytes:.0f}",
            str(figures.requests),
            f"{accounts / figures.wall:.0f}",
            f"{first / figures.wall:.2f}",
        )
        lines.append(f"  {name:36}" + "".join(f"{value:>14}" for value in values))
    return "\n".join(lines)


def spread(seconds: Sequence[float]) -> str:
    """Return median, 95th percentile and maximum of some delays, in milliseconds."""
    upper = quantiles(seconds, n=20)[-1]
    return f"median {median(seconds) * 1000:.0f} ms, p95 {upper * 1000:.0f} ms, max {max(seconds) * 1000:.0f} ms"
