"""The commands that lead on from a patch that stopped, for each situation. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from .conflict import Reason, Stop

SYNC = "python -m tools mirror sync"
REFRESH = "python -m tools patch refresh"
ABORT = f"{SYNC} --abort"


def settling(stop: Stop, *, paused: bool) -> tuple[str, ...]:
    """Return the commands that settle the patch, then take it into the mirror."""
    then = (f"{SYNC} --continue", ABORT) if paused else (SYNC,)
    name = shlex.quote(stop.patch.name.removesuffix(".patch"))
    if stop.reason in (Reason.UPSTREAM_HAS_IT, Reason.NOTHING):
        return (f"python -m tools patch drop {name}", *then)
    if stop.reason is Reason.OTHER_FILE:
        return (REFRESH, *then)
    return (f"python -m tools patch edit {name}", REFRESH, *then)


def trying_for_real(wanted: str, source: str | None) -> tuple[str, ...]:
    """Return the command after a dry run: the synchronization, which then waits for the patch to be settled."""
    aside = f" --source={shlex.quote(source)}" if source else ""
    return (f"{SYNC} {shlex.quote(wanted)}{aside}",)


def ordering() -> tuple[str, ...]:
    """Return the command that lists the orders in which the patches apply."""
    return ("python -m tools patch reorder --independent",)


def next_lines(commands: Sequence[str]) -> tuple[str, ...]:
    """The commands as lines of a message."""
    return ("next:", *(f"  {command}" for command in commands))
