"""A pytest plugin that prints what passed, file by file, and the figures; `make test-stock` loads it.

A test hands over a figure with `record_property(FIGURE, text)`.
"""

from collections import Counter

import pytest

FIGURE = "figure"


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
    for report in terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", []):
        for figure in (value for name, value in report.user_properties if name == FIGURE):
            terminalreporter.write_line(f"- {figure}")
