"""Command groups that import a command when it is used."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click
from click.shell_completion import CompletionItem

from extension.cli.errors import CommandError
from extension.cli.parsing.help_formatter import HelpContext
from extension.cli.parsing.suggestions import suggestion
from extension.cli.renamed_commands import renamed, renamed_message


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Import function of a command, and the sentence that describes it in the list of its group."""

    load: Callable[[], click.Command]
    summary: str


class LazyGroup(click.Group):
    """Group that lists, completes and refuses names without importing its commands."""

    context_class = HelpContext

    def __init__(self, name: str, entries: Mapping[str, LazyCommand], **attributes: Any) -> None:
        super().__init__(name, **attributes)
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in reading order."""
        del ctx
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        entry = self.entries.get(cmd_name)
        return entry.load() if entry else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.entries.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands; options as usual."""
        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        return [
            CompletionItem(name, help=entry.summary)
            for name, entry in self.entries.items()
            if name.startswith(incomplete)
        ]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse renamed commands before their former options are."""
        words = args if ctx.parent is None else [str(ctx.info_name), *args]
        former = None if ctx.resilient_parsing else renamed(words)
        direct = ctx.parent is None or not args or _is_other_option(ctx, args[0])
        if former and direct and words[0] not in self.entries:
            raise CommandError(renamed_message(*former))
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown name with the closest known one."""
        if args[0] not in self.entries and not ctx.resilient_parsing:
            ctx.fail(f"There is no command {args[0]!r}.{suggestion(args[0], self.entries)}")
        return super().resolve_command(ctx, args)


def _is_other_option(ctx: click.Context, word: str) -> bool:
    return word.startswith("-") and word not in ctx.help_option_names
