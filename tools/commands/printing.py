"""Where lines and reports go."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..findings import Report
from ..progress import Silent, progress_on


def say(line: str) -> None:
    """Print a line about what is going on to standard error, where it does not mix with a report."""
    print(line, file=sys.stderr)


@contextmanager
def shown_progress() -> Iterator[Silent]:
    """Progress on standard error while something is done; its line is gone afterwards, whatever happened."""
    progress = progress_on(sys.stderr, os.environ)
    try:
        yield progress
    finally:
        progress.end()


def saying_over(progress: Silent) -> Callable[[str], None]:
    """What prints a line where progress may stand."""

    def say_over(line: str) -> None:
        progress.end()
        say(line)

    return say_over


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
