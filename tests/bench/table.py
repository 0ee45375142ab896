"""Measured seconds as a table of medians and ratios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median


def table(title: str, seconds: Mapping[str, Sequence[float]], *, work: int = 1, unit: str = "runs") -> str:
    """One line a contestant: median, lowest and highest seconds, rate, and ratio of its median to the first's."""
    first = median(next(iter(seconds.values())))
    lines = [title, f"  {'':32} {'median s':>9} {'min':>8} {'max':>8} {unit + '/s':>12} {'ratio':>7}"]
    for name, values in seconds.items():
        middle = median(values)
        spread = f"{min(values):8.4f} {max(values):8.4f}"
        lines.append(f"  {name:32} {middle:9.4f} {spread} {work / middle:12.1f} {middle / first:7.2f}")
    return "\n".join(lines)
