"""A pytest plugin that prints what passed, file by file, and the figures; `make test-stock` loads it.

A test hands over a figure with `record_property(FIGURE, text)`, and a row of the table of releases with
`record_property(RELEASE, row)`.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

FIGURE = "figure"
RELEASE = "release"
STEPS = tuple(f"{step} {count}" for count in ("one", "two") for step in ("disable", "enable", "undo"))
"""Steps of the table of releases, each with the seconds of its slowest family."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one row a file: how many promises were kept, and which were not."""
    counts: dict[str, Counter[str]] = {}
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.stats.get(outcome, []):
            counts.setdefault(report.nodeid.partition("::")[0], Counter())[outcome] += 1
    terminalreporter.section("stock gateway")
    terminalreporter.write_line(f"{'what':52} {'passed':>7} {'failed':>7}")
    for name in sorted(counts):
        what = name.removeprefix("tests/").removesuffix(".py").replace("/test_", ": ").replace("_", " ")
        failed = counts[name]["failed"] + counts[name]["error"]
        terminalreporter.write_line(f"{what:52} {counts[name]['passed']:7} {failed:7}")
    reports = terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", [])
    properties = [(name, value) for report in reports for name, value in report.user_properties]
    for line in _releases(value for name, value in properties if name == RELEASE):
        terminalreporter.write_line(line)
    for figure in (value for name, value in properties if name == FIGURE):
        terminalreporter.write_line(f"- {figure}")


def _releases(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Return the table of releases: seconds of each step, the slowest family counts."""
    lines = [
        f"{row['release']:>10} {row['families']:>9} " + " ".join(f"{row[step]:>11.2f}" for step in STEPS)
        for row in rows
    ]
    title = f"{'release':>10} {'families':>9} " + " ".join(f"{step:>11}" for step in STEPS)
    return [title, *lines] if lines else []
