"""Errors of the tools, each with the exit status it means."""

from __future__ import annotations

from collections.abc import Sequence

CLEAN = 0
FINDINGS = 1
NOT_CHECKED = 2
PAUSED = 3


class ToolError(Exception):
    """The tool could not do its task; nothing was changed unless the message says so.

    Attributes:
        text: one line, the problem.
        advice: one line, the next step; may be empty.
        details: more lines, for people.
        status: exit status of the process.
    """

    status = NOT_CHECKED

    def __init__(self, text: str, advice: str = "", details: Sequence[str] = ()) -> None:
        """Keep `text` and `advice` apart, so that each output can show them its own way."""
        super().__init__(text)
        self.text = text
        self.advice = advice
        self.details = tuple(details)


class NotDeclaredError(ToolError):
    """The project declares nothing of the kind; a run of all gates passes over it."""


class Paused(ToolError):  # noqa: N818 - it is an answer for the operator, and it is called so in the exit statuses
    """A person has to decide something; everything is as it was before the command."""

    status = PAUSED
