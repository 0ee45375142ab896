"""Errors of the tools, each with its next step and the exit status of the process."""

from collections.abc import Sequence

CLEAN = 0
FINDINGS = 1
NOT_DONE = 2
PAUSED = 3


class ToolError(Exception):
    """The command could not do its task; nothing was changed unless the message says so.

    Attributes:
        message: one line, the problem.
        hint: one line, the next step; may be empty.
        details: more lines, for people.
        status: exit status of the process.
    """

    status = NOT_DONE

    def __init__(self, message: str, hint: str = "", details: Sequence[str] = ()) -> None:
        """Keep message and hint apart, so that each output can show them its own way."""
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = tuple(details)


class DeclarationError(ToolError):
    """`upstream.toml` is missing, cannot be read, or contradicts itself."""


class NotDeclaredError(DeclarationError):
    """`upstream.toml` lacks the table a command needs; a run of all gates passes over it."""


class GitError(ToolError):
    """A git command failed."""


class PausedError(ToolError):
    """A patch does not apply, and a person has to decide."""

    status = PAUSED
