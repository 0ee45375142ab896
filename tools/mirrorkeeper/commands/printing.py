"""Output of lines and reports."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ToolError
from ..progress import Silent, progress_on

if TYPE_CHECKING:
    from ..findings import Report


SHOWN: list[str] = []
"""Commands of this process whose report was printed, or begun: standard output holds one report alone."""


def say(line: str) -> None:
    """Print a progress line to standard error, where it does not mix with a report."""
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
    """Return a function that prints a line where progress may stand."""

    def say_over(line: str) -> None:
        progress.end()
        say(line)

    return say_over


def show(report: Report, output_format: str) -> int:
    """Print the report and return its exit status.

    In a GitHub job the findings are annotated as well (on standard error, which GitHub reads too, so that standard
    output holds the report alone), and the job's summary gets the report.

    Raises:
        ToolError: standard output is closed.
    """
    from ..report import FORMATS

    text = FORMATS[output_format](report)
    if sys.stdout is None:
        raise ToolError("standard output is closed, and the report goes there", "open it, or send it to a file")
    SHOWN.append(report.command)
    sys.stdout.write(text)
    sys.stdout.flush()  # what cannot be written is an error now, and not after the last word
    _show_on_github(report, output_format)
    return report.status


def _show_on_github(report: Report, output_format: str) -> None:
    from ..report import FORMATS

    if os.environ.get("GITHUB_ACTIONS") == "true":
        if output_format != "github":
            sys.stderr.write(FORMATS["github"](report))
        summarize(FORMATS["markdown"](report))


def report_failure(given: Sequence[str], text: str, advice: str) -> None:
    """Print the report of a command that failed before it had one, where its words ask for one that programs read.

    A GitHub job gets its annotation and its summary in any case.
    """
    from ..report import FORMATS
    from ..report.failed import failed_report, format_for_programs

    report = None if SHOWN else failed_report(given, text, advice)
    if report is None:
        return
    output_format = format_for_programs(given)
    with suppress(OSError, ValueError):  # standard output may be what failed
        if output_format:
            sys.stdout.write(FORMATS[output_format](report))
            sys.stdout.flush()
        _show_on_github(report, output_format)


def summarize(text: str) -> None:
    """Add Markdown to the summary of a GitHub job; elsewhere nothing happens, and a failure is only said."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY") if os.environ.get("GITHUB_ACTIONS") == "true" else None
    if not summary:
        return
    try:
        with Path(summary).open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
    except OSError as error:
        say(f"note: the job's summary could not be written: {error.strerror}: {summary}")
