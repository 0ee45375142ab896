"""Shared by all commands that print a report: the option for its format, and the exit status."""

from __future__ import annotations

import click

from ..findings import Report
from ..report import FORMATS
from .printing import show

output_option = click.option(
    "--output-format",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How to print; on GitHub, annotations and the job's summary are written in any case.",
)


def finish(ctx: click.Context, report: Report, output_format: str) -> None:
    """Print the report and end with its exit status."""
    ctx.exit(show(report, output_format))
