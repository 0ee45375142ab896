"""The command line of the tools: what went wrong comes out as one clear line and an exit status."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from .errors import NOT_CHECKED, ToolError
from .signals import EndedError

_SETTLED = "the next mirror command settles what was left unfinished"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: what happened goes to standard error as one clear line."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return _run(given)
    except ToolError as error:
        _complain(error.text, error.advice, error.details)
        return error.status
    except KeyboardInterrupt:
        _complain("interrupted", _SETTLED)
        return 130
    except EndedError as ended:
        _complain(f"ended by {ended.name}", _SETTLED)
        return ended.status
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        _complain(f"{error.strerror or error}{where}", _SETTLED)
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
