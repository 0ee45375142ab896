"""Prints benchmarks, medians and ratios from one run, side by side: all of them, or those named as arguments.

A number after `usage` is its millions of events.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from adapter.privacy.secret import Redactor
from extension.serving.logs import configure_logs
from tests.bench import actions, inspection, load, mirror, plugin, pool_answer
from tests.bench.usage import report as usage

if __name__ == "__main__":
    configure_logs("warning", "console", Redactor(()))
    reports: dict[str, Callable[[], str]] = {
        "actions": actions.report,
        "inspection": inspection.report,
        "load": load.report,
        "pool": pool_answer.report,
        "mirror": mirror.report,
        "plugin": plugin.report,
        "usage": usage.report,
    }
    wanted = [name for name in sys.argv[1:] if name in reports]
    numbers = [float(number) for number in sys.argv[1:] if number not in reports]
    reports["usage"] = partial(usage.report, *numbers[:1])
    for name in wanted or reports:
        print(reports[name]())
