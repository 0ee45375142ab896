"""Command failures: one line with the cause and the next step, and an exit status."""

from typing import IO, Any, Final

import click

from extension.cli.exit_status import COULD_NOT_CHECK, FINDINGS
from extension.cli.wrapping import wrapped_error


class CommandError(click.ClickException):
    """A command that cannot do its work; the text is one line, the exit status 2."""

    exit_code = COULD_NOT_CHECK

    def __init__(self, text: str) -> None:
        super().__init__("".join(mark if mark.isprintable() else "\ufffd" for mark in " ".join(text.split())))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line to stderr, wrapped on a terminal."""
        click.echo(wrapped_error(f"poolkeeper: {self.message}"), file=file, err=True)


class WrappedUsageError(click.UsageError):
    """A command line that cannot be parsed, with a message wrapped on a terminal."""

    _HEAD: Final = "Error: "

    def __init__(self, error: click.UsageError) -> None:
        super().__init__(error.format_message(), error.ctx)

    def format_message(self) -> str:
        """Return the message as it stands behind its head."""
        return wrapped_error(f"{self._HEAD}{self.message}").removeprefix(self._HEAD)


class NotInEffect(CommandError):  # noqa: N818 - the name is the condition
    """A change was made and has no effect yet; the text names what stands there now."""

    exit_code = FINDINGS


class CannotStart(CommandError):  # noqa: N818 - the name is the condition
    """The service cannot be started."""

    exit_code = 1
