"""What every command shares: the project it works on, where lines go, how a report is printed."""

from __future__ import annotations

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
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)


def say(line: str) -> None:
    """Print a line about what is going on to standard error, where it does not mix with a report."""
    click.echo(line, err=True)


def finish(ctx: click.Context, report: Report, output_format: str) -> None:
    """Print the report and end with its exit status."""
    from ..report import FORMATS

    click.echo(FORMATS[output_format](report), nl=False)
    ctx.exit(report.status)
