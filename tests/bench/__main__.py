"""Prints benchmarks, medians and ratios from one run, side by side: all of them, or those named as arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

from adapter.privacy.secret import Redactor
from extension.serving.logs import configure_logs
from tests.bench import actions, inspection, load, plugin, pool_answer
from tests.bench.usage import report as usage

_REPORTS: dict[str, Callable[[], str]] = {
    "actions": actions.report,
    "inspection": inspection.report,
    "load": load.report,
    "pool": pool_answer.report,
    "plugin": plugin.report,
    "usage": usage.report,
}


def _chosen(arguments: Sequence[str] | None = None) -> list[Callable[[], str]]:
    """Return the reports that the arguments name, all without a name; a number is the millions of usage events."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"{', '.join(_REPORTS)}; a number after `usage` is its millions of events",
    )
    names: list[str] = []
    reports = dict(_REPORTS)
    for word in parser.parse_args(arguments).names:
        if word in _REPORTS:
            names.append(word)
            continue
        try:
            reports["usage"] = partial(usage.report, float(word))
        except ValueError:
            parser.error(f"no benchmark is called {word!r}: name some of {', '.join(_REPORTS)}")
    return [reports[name] for name in names or reports]


if __name__ == "__main__":
    reports = _chosen()
    configure_logs("warning", "console", Redactor(()))
    for report in reports:
        print(report())
