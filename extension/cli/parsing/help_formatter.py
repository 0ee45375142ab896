"""Help text: options in groups, lines that break between words only, and suggestions for mistyped words."""

import inspect
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, ClassVar

import click

from extension.cli.wrapping import wrapped

_SIMILARITY = 0.6


def suggestion(word: str, choices: Iterable[str]) -> str:
    """Return a sentence that offers the closest known word, preceded by a space; empty without a close one."""
    by_spelling = {choice.lower(): choice for choice in choices}
    close = get_close_matches(word.lower(), by_spelling, n=1, cutoff=_SIMILARITY)
    return f" Did you mean {by_spelling[close[0]]}?" if close else ""


MOST_COLUMNS = 100
"""Widest help; narrower terminals get narrower lines."""
_OPTIONS = "Options"
_WIDEST_FIRST_COLUMN = 30
_FIRST_COLUMN = 22


class WholeWordFormatter(click.HelpFormatter):
    """Help formatter that breaks neither words nor hyphenated option names."""

    def write_text(self, text: str) -> None:
        """Write paragraphs and lists (lines that start with a hyphen), indented and wrapped."""
        indent = " " * self.current_indent
        filled: list[str] = []
        for part in inspect.cleandoc(text).split("\n\n"):
            items = part.splitlines() if part.startswith("- ") else [part]
            filled.append(
                "\n".join(line for item in items for line in wrapped(" ".join(item.split()), self.width, indent))
            )
        self.write("\n\n".join(filled) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _WIDEST_FIRST_COLUMN, col_spacing: int = 2
    ) -> None:
        """Write a list of terms and their descriptions in two columns."""
        rows = tuple(rows)
        fitting = [len(term) for term, _ in rows if len(term) <= col_max]
        first = self.current_indent + max(fitting, default=_FIRST_COLUMN) + col_spacing
        for term, description in rows:
            head = f"{'':>{self.current_indent}}{term}"
            lines = wrapped(description, self.width, " " * first)
            if lines and len(head) + col_spacing <= first:
                lines[0] = f"{head:<{first}}{lines[0][first:]}"
            else:
                lines.insert(0, head)
            self.write("\n".join(lines) + "\n")


class HelpContext(click.Context):
    """Context of commands with this help."""

    formatter_class: ClassVar[type[click.HelpFormatter]] = WholeWordFormatter  # type: ignore[misc] # not declared so


class GroupedOption(click.Option):
    """Option that belongs to a titled group of the help."""

    def __init__(self, *arguments: Any, group: str = _OPTIONS, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.group = group


class GroupedCommand(click.Command):
    """Command that lists its options by group."""

    context_class = HelpContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an unknown option with the closest known one."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            spellings = [spelling for parameter in self.get_params(ctx) for spelling in parameter.opts]
            text = f"There is no option {error.option_name}.{suggestion(error.option_name, spellings)}"
            raise click.NoSuchOption(error.option_name, text, ctx=ctx) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one section per group, the command's own options first."""
        groups: dict[str, list[tuple[str, str]]] = {_OPTIONS: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups.setdefault(getattr(parameter, "group", _OPTIONS), []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records)
