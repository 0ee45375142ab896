"""A pytest plugin that prints what passed, file by file; `make test-stock` loads it."""

from collections import Counter

import pytest


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
