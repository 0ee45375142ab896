"""How a command fails: one line that says what happened and what to do, and an exit status."""

from typing import IO, Any

import click


class CommandError(click.ClickException):
    """A command cannot do what was asked; the text is one line for people. The exit status says: could not check."""

    exit_code = 2

    def __init__(self, text: str) -> None:
        super().__init__("".join(mark if mark.isprintable() else "\ufffd" for mark in " ".join(text.split())))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line to stderr."""
        click.echo(f"poolkeeper: {self.message}", file=file, err=True)


class CannotStart(CommandError):  # noqa: N818 - the name says what happened
    """The service cannot be started."""

    exit_code = 1
