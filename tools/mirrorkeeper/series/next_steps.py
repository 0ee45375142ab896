"""The commands that lead on from a patch that stopped, for each situation. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ..tool_name import TOOL
from .conflict import Stop, StopReason
from .trial import Trial

SYNC = f"{TOOL} mirror sync"
REFRESH = f"{TOOL} patch refresh"
ABORT = f"{SYNC} --abort"


def settling(trials: Sequence[Trial], *, paused: bool) -> tuple[str, ...]:
    """Return the commands that settle all patches that stopped, in order, then take them into the mirror."""
    by_hand = [trial.stop for trial in trials if not trial.refreshable]
    commands = [command for stop in by_hand for command in _settling_one(stop, last=stop is by_hand[-1])]
    if len(by_hand) < len(trials) and REFRESH not in commands:
        commands.append(REFRESH)
    return (*commands, *((f"{SYNC} --continue", ABORT) if paused else (SYNC,)))


def _settling_one(stop: Stop, *, last: bool) -> tuple[str, ...]:
    name = shlex.quote(stop.patch.name.removesuffix(".patch"))
    if stop.reason in (StopReason.UPSTREAM_HAS_IT, StopReason.NOTHING):
        return (f"{TOOL} patch drop {name}",)
    return (f"{TOOL} patch edit {name}", REFRESH if last else f"{REFRESH} {name}")


def trying_for_real(wanted: str, source: str | None) -> tuple[str, ...]:
    """Return the command after a dry run: the synchronization, which then waits for the patch to be settled."""
    aside = f" --source={shlex.quote(source)}" if source else ""
    return (f"{SYNC} {shlex.quote(wanted)}{aside}",)


def ordering() -> tuple[str, ...]:
    """Return the command that lists the orders in which the patches apply."""
    return (f"{TOOL} patch reorder --independent",)


def next_lines(commands: Sequence[str]) -> tuple[str, ...]:
    """The commands as lines of a message."""
    return ("next:", *(f"  {command}" for command in commands))
