"""Where lines and reports go."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..findings import Report


def say(line: str) -> None:
    """Print a line about what is going on to standard error, where it does not mix with a report."""
    print(line, file=sys.stderr)


def show(report: Report, output_format: str) -> int:
    """Print the report and return its exit status.

    In a GitHub job the findings are annotated as well (on standard error, which GitHub reads too, so that standard
    output stays what was asked for), and the job's summary gets the report.
    """
    from ..report import FORMATS

    sys.stdout.write(FORMATS[output_format](report))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        if output_format != "github":
            sys.stderr.write(FORMATS["github"](report))
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with Path(summary).open("a", encoding="utf-8") as stream:
                stream.write(FORMATS["markdown"](report))
    return report.status
