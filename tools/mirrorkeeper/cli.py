"""The command line of the tools: each error becomes one clear line and an exit status."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import NOT_CHECKED, ToolError
from .libraries import missing_library
from .system.children import CHILDREN
from .system.signals import EndedError
from .tool_name import TOOL

if TYPE_CHECKING:
    import click

More = Mapping[str, "tuple[str, Callable[[], click.Command]]"]
"""Commands of the project around the tools: for each name its line in the help, and a function that loads it."""

_SETTLED = "the next mirror command settles what was left unfinished"
_AGAIN = "then run the command again: what was left unfinished is settled first"
_MENDED = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), f"give this user access to it, {_AGAIN}"),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), f"make room on that disk, {_AGAIN}"),
}


def main(arguments: Sequence[str] | None = None, more: More | None = None) -> int:
    """Run the command line and return the exit status; an error goes to standard error as one clear line.

    Args:
        arguments: the words of the command; those of this process unless given.
        more: commands of the project around the tools.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    _have_an_error_output()
    _show_what_the_console_lacks()
    try:
        return _run(given, more or {})
    except ToolError as error:
        _complain(error.text, error.advice, error.details)
        return _reported(given, error.text, error.advice, error.status)
    except KeyboardInterrupt:
        CHILDREN.end()
        _complain("interrupted", _SETTLED)
        return 130
    except EndedError as ended:
        from .commands.printing import report_failure

        CHILDREN.end()
        _complain(f"ended by {ended.name}", _SETTLED)
        report_failure(given, f"ended by {ended.name}", _SETTLED)
        return ended.status
    except OSError as error:
        text = f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}"
        advice = _MENDED.get(error.errno or 0, f"mend that, {_AGAIN}")
        _complain(text, advice)
        return _reported(given, text, advice)
    except Exception as error:  # noqa: BLE001 - its status would be 1, which says that something was found
        return _unexpected(error, given)


def _have_an_error_output() -> None:
    """Drop errors where that output is closed: `print` would add them to the report on standard output."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as the process


def _show_what_the_console_lacks() -> None:
    """Let signs that the console's encoding does not have come out escaped, instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _unexpected(error: Exception, given: Sequence[str]) -> int:
    import shlex

    missing = missing_library(error, "this command")
    if missing is not None:
        _complain(missing.text, missing.advice)
        return _reported(given, missing.text, missing.advice)
    from .system.unexpected import cause_of, report_with, show_traceback

    show_traceback(error)
    text, advice = cause_of(error), report_with(f"{TOOL} {shlex.join(given)}")
    _complain(text, advice)
    return _reported(given, text, advice)


def _reported(given: Sequence[str], text: str, advice: str, status: int = NOT_CHECKED) -> int:
    """Give a program that asked for a report one with the error in it, unless it has one already; return the status."""
    from .commands.printing import report_failure

    if status == NOT_CHECKED:
        report_failure(given, text, advice)
    return status


def _run(arguments: Sequence[str], more: More) -> int:
    from .commands.printing import SHOWN
    from .commands.quick import parse_verify

    SHOWN.clear()
    call = parse_verify(arguments)
    if call is not None:
        return call.run()
    from .commands.group import run
    from .system.collection import collect

    collect()
    return run(arguments, more)


def _complain(text: str, advice: str, details: Sequence[str] = ()) -> None:
    for line in (f"error: {text}", *(f"  {one}" for one in details), *([f"help: {advice}"] if advice else ())):
        # Bytes of a name that are not UTF-8 come out as `\xff`, as in findings.
        print(line.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"), file=sys.stderr)
