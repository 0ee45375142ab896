"""What every command shares: the project it works on, where lines go, how a report is printed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import click

from ..findings import Report
from ..project import DECLARATION, Project


@dataclass(frozen=True)
class Invocation:
    """The global options: the folder of the project, and the declaration's path in it."""

    folder: Path = Path()
    declaration: str = DECLARATION

    def project(self) -> Project:
        """The project that is meant.

        Raises:
            ToolError: there is no such folder.
        """
        return Project.at(self.folder, self.declaration)


output_option = click.option(
    "--output-format",
    type=click.Choice(["text", "json", "github", "markdown"]),
    default="text",
    show_default=True,
    help="How to print; on GitHub, annotations and the job's summary are written in any case.",
)


def say(line: str) -> None:
    """Print a line about what is going on to standard error, where it does not mix with a report."""
    click.echo(line, err=True)


def finish(ctx: click.Context, report: Report, output_format: str) -> None:
    """Print the report and end with its exit status.

    In a GitHub job the findings are annotated as well (on standard error, which GitHub reads too, so that standard
    output stays what was asked for), and the job's summary gets the report.
    """
    from ..report import FORMATS, as_annotations, as_markdown

    click.echo(FORMATS[output_format](report), nl=False)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        if output_format != "github":
            click.echo(as_annotations(report), nl=False, err=True)
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with Path(summary).open("a", encoding="utf-8") as stream:
                stream.write(as_markdown(report))
    ctx.exit(report.status)
