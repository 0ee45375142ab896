"""A group of commands whose modules are imported when one is used, so that `--help` and a quick check start fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import click


@dataclass(frozen=True)
class CommandEntry:
    """A command not loaded yet: its line in the help, and how to load it."""

    help: str
    load: Callable[[], click.Command]


class LazyGroup(click.Group):
    """A click group over a table of entries."""

    def __init__(self, name: str, entries: Mapping[str, CommandEntry], help_text: str) -> None:
        """Take the table; nothing is loaded yet."""
        super().__init__(name, help=help_text, no_args_is_help=True)
        self._entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the table's order."""
        del ctx
        return list(self._entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the command of that name, or return None when there is none."""
        del ctx
        entry = self._entries.get(cmd_name)
        return entry.load() if entry else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without loading one."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self._entries.items()])
