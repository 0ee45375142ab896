"""The command line of the tools: what went wrong comes out as one clear line and an exit status."""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from collections.abc import Sequence

from .children import CHILDREN
from .errors import NOT_CHECKED, ToolError
from .signals import EndedError

TRACEBACK = "TOOLS_TRACEBACK"
_SETTLED = "the next mirror command settles what was left unfinished"
_AGAIN = "then run the command again: what was left unfinished is settled first"
_MENDED = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), f"give this user access to it, {_AGAIN}"),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), f"make room on that disk, {_AGAIN}"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: what happened goes to standard error as one clear line."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    _show_what_the_console_lacks()
    try:
        return _run(given)
    except ToolError as error:
        _complain(error.text, error.advice, error.details)
        return error.status
    except KeyboardInterrupt:
        CHILDREN.end()
        _complain("interrupted", _SETTLED)
        return 130
    except EndedError as ended:
        CHILDREN.end()
        _complain(f"ended by {ended.name}", _SETTLED)
        return ended.status
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        _complain(f"{error.strerror or error}{where}", _MENDED.get(error.errno or 0, f"mend that, {_AGAIN}"))
        return NOT_CHECKED
    except Exception as error:  # noqa: BLE001 - its status would be 1, which says that something was found
        return _unexpected(error, given)


def _show_what_the_console_lacks() -> None:
    """Let signs that the console's encoding does not have come out escaped, instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _unexpected(error: Exception, given: Sequence[str]) -> int:
    import shlex

    if os.environ.get(TRACEBACK):
        import traceback

        traceback.print_exc()
    said = " ".join(str(error).split())
    command = f"{TRACEBACK}=1 python -m tools {shlex.join(given)}"
    _complain(f"a fault of the tools: {type(error).__name__}: {said}", f"report it with what this shows: {command}")
    return NOT_CHECKED


def _run(arguments: Sequence[str]) -> int:
    gc.disable()  # a check ends long before it would need it
    from .commands.quick import parse_verify

    call = parse_verify(arguments)
    if call is not None:
        return call.run()
    gc.enable()
    from .commands.group import run

    return run(arguments)


def _complain(text: str, advice: str, details: Sequence[str] = ()) -> None:
    print(f"error: {text}", file=sys.stderr)
    for line in details:
        print(f"  {line}", file=sys.stderr)
    if advice:
        print(f"help: {advice}", file=sys.stderr)
