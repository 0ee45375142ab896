"""Prints benchmarks, medians and ratios from one run, side by side: all of them, or those named as arguments."""

from __future__ import annotations

import sys

from adapter.privacy.secret import Redactor
from extension.serving.logs import configure_logs
from tests.bench import actions, inspection, load, mirror, pool_answer
from tests.bench.usage import report as usage

if __name__ == "__main__":
    configure_logs("warning", "console", Redactor(()))
    reports = {
        "actions": actions.report,
        "inspection": inspection.report,
        "load": load.report,
        "pool": pool_answer.report,
        "mirror": mirror.report,
        "usage": usage.report,
    }
    for name in sys.argv[1:] or reports:
        print(reports[name]())
