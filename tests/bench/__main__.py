"""Prints every benchmark: medians and ratios from one run, side by side."""

from __future__ import annotations

from adapter.secret import Redactor
from extension.serving.logs import configure_logs
from tests.bench import inspection

if __name__ == "__main__":
    configure_logs("warning", "console", Redactor(()))
    print(inspection.report())
