"""Table of renamed commands, with the lookup for the line that names the new command."""

from collections.abc import Mapping, Sequence
from typing import Final

RENAMED: Final[Mapping[str, str]] = {
    "act": "run apply",
    "act --dry-run": "run apply --dry-run",
    "act --release": "run release",
    "act --undo": "run undo",
    "runs": "run list",
    "runs --run": "run show",
    "runs --difference": "run diff",
    "runs --export": "run export",
    "pause": "run pause",
    "resume": "run resume",
    "finish": "run finish",
    "stop": "run stop",
    "schedules": "schedule list",
    "schedules --save": "schedule add",
    "schedules --on": "schedule resume",
    "schedules --off": "schedule pause",
    "schedules --remove": "schedule remove",
}
"""New command for each former command. The last option of a former command that is given decides."""


def renamed(words: Sequence[str]) -> tuple[str, str] | None:
    """Return the former and the new command for words of a command line, or None for a current command."""
    if not words or words[0] not in RENAMED:
        return None
    given = {word.partition("=")[0] for word in words[1:]}
    former = words[0]
    for known in RENAMED:
        command, _, option = known.partition(" ")
        if command == words[0] and option in given:
            former = known
    return former, RENAMED[former]


def renamed_message(former: str, current: str) -> str:
    """Return the line for a renamed command."""
    return f"`poolkeeper {former}` is now `poolkeeper {current}`. Its options: poolkeeper {current} --help"
