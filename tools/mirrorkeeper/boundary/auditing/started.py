"""Commands of processes, from the audit events that announce them. Pure."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

_ARGUMENTS_AT = {"subprocess.Popen": 1, "os.exec": 1, "os.posix_spawn": 1, "os.spawn": 2, "os.system": 0}
STARTING = frozenset(_ARGUMENTS_AT)
"""The events that announce a process."""


def command_in(event: str, arguments: tuple[Any, ...]) -> tuple[str, ...] | None:
    """The words of the command a process is started with; None of any other event."""
    place = _ARGUMENTS_AT.get(event)
    if place is None or len(arguments) <= place:
        return None
    words = arguments[place]
    if isinstance(words, str | bytes | os.PathLike):
        return (os.fsdecode(words),)
    return tuple(os.fsdecode(one) for one in words) if isinstance(words, Iterable) else ()
