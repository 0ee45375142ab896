"""Command failures: one line with the cause and the next step, and an exit status."""

from typing import IO, Any

import click

from extension.cli.exit_status import COULD_NOT_CHECK


class CommandError(click.ClickException):
    """A command that cannot do its work; the text is one line, the exit status 2."""

    exit_code = COULD_NOT_CHECK

    def __init__(self, text: str) -> None:
        super().__init__("".join(mark if mark.isprintable() else "\ufffd" for mark in " ".join(text.split())))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line to stderr."""
        click.echo(f"poolkeeper: {self.message}", file=file, err=True)


class CannotStart(CommandError):  # noqa: N818 - the name is the condition
    """The service cannot be started."""

    exit_code = 1
