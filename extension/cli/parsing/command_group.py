"""Command groups: commands in reading order, with unknown names refused by naming the closest one."""

from collections.abc import Callable, Mapping

import click
from click.shell_completion import CompletionItem

from extension.cli.parsing.help_formatter import GroupedCommand, HelpContext, suggestion


class CommandGroup(click.Group):
    """Group that lists its commands in the order of their declaration, each with one whole sentence."""

    context_class = HelpContext
    command_class = GroupedCommand

    def summaries(self) -> Mapping[str, str]:
        """Return the sentence that describes each command."""
        return {name: (command.help or "").partition("\n")[0] for name, command in self.commands.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in reading order."""
        del ctx
        return list(self.summaries())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries().items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands; options as usual."""
        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        summaries = self.summaries().items()
        return [CompletionItem(name, help=summary) for name, summary in summaries if name.startswith(incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown name with the closest known one."""
        names = self.list_commands(ctx)
        if args[0] not in names and not ctx.resilient_parsing:
            ctx.fail(f"There is no command {args[0]!r}.{suggestion(args[0], names)}")
        return super().resolve_command(ctx, args)


class LazyGroup(CommandGroup):
    """Group of described commands, each imported with `load` when it is used."""

    def __init__(
        self, name: str, sentences: Mapping[str, str], load: Callable[[str], click.Command | None], **attributes: object
    ) -> None:
        super().__init__(name, **attributes)  # type: ignore[arg-type] # attributes of a click group
        self._sentences = sentences
        self._load = load

    def summaries(self) -> Mapping[str, str]:
        """Return the sentences without importing the commands."""
        return self._sentences

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        return self._load(cmd_name)
