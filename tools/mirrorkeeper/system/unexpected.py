"""Errors that no part of the tools expects: the cause in one line, and its traceback for a person who asks."""

from __future__ import annotations

import os
import sys

TRACEBACK = "TOOLS_TRACEBACK"
"""The environment variable that asks for tracebacks."""


def show_traceback(error: BaseException) -> None:
    """Print the traceback of an error where it was asked for."""
    if os.environ.get(TRACEBACK):
        import traceback

        traceback.print_exception(error, file=sys.stderr)


def cause_of(error: BaseException) -> str:
    """Return the kind of an error and its message, in one line."""
    said = " ".join(str(error).split())
    return f"internal error: {type(error).__name__}{f': {said}' if said else ''}"


def report_with(command: str) -> str:
    """Return the advice to report an error with its traceback."""
    return f"report it with the output of: {TRACEBACK}=1 {command}"
