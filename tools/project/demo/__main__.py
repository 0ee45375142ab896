"""`python -m tools.project.demo`: the demo without the other tools."""

from __future__ import annotations

import sys

import click

from ...mirror.errors import ToolError
from .command import demo


def main() -> None:
    """Run the command; an error is one line and the next step."""
    try:
        demo()
    except ToolError as error:
        click.echo(f"{error.message} {error.hint}".strip(), err=True)
        sys.exit(error.status)


main()
