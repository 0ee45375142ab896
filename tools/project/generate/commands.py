"""Tables of the commands and their options, from the command line itself."""

from collections.abc import Iterator, Sequence

import click

from extension.cli.client.connection import CONNECTION
from extension.cli.parsing.help_formatter import GroupedOption
from extension.cli.parsing.settings_options import HELP
from extension.cli.program import poolkeeper

from ...mirror.findings import CODES
from .sources import code, sentence, table

PROGRAM = "poolkeeper"
TOOLS = "python -m tools"
_SETTINGS = frozenset(help_of.group for help_of in HELP.values())
_LIKE = "run list"
"""Command with the usual connection options."""


def overview(program: click.Command, name: str) -> str:
    """Return every command of a program with its purpose."""
    rows = ((code(path), sentence(command.help or "")) for path, command in every(program, name))
    return table(("Command", "Purpose"), rows)


def details() -> str:
    """Return a section for each command; the usual connection options and the settings are named once."""
    commands = dict(every(poolkeeper, PROGRAM))
    usual = _rows(commands[f"{PROGRAM} {_LIKE}"], f"{PROGRAM} {_LIKE}", (CONNECTION,))
    head = [f"### Connection options\n\n{_options(usual)}"]
    return "\n\n".join([*head, *(_section(command, name, usual) for name, command in commands.items())])


def tools_details(tools: click.Group) -> str:
    """Return a section for each command of the tools."""
    return "\n\n".join(_section(command, name, ()) for name, command in every(tools, TOOLS))


def findings() -> str:
    """Return the codes of findings, in the order of their table."""
    return table(("Code", "Title", "Level"), ((code(name), title, level) for name, (level, title) in CODES.items()))


def every(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield name and command of everything below a command, in the order of its help; a mere group is left out."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for part in command.list_commands(context):
            inner = command.get_command(context, part)
            if inner:
                yield from every(inner, f"{name} {part}")


def _section(command: click.Command, name: str, usual: Sequence[tuple[str, str]]) -> str:
    context = _context(command, name)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    paragraphs = (command.help or "").replace("\b", "").strip().split("\n\n")
    parts = [f"### {name}", code(usage), "\n\n".join(_paragraph(text) for text in paragraphs)]
    connection = _rows(command, name, (CONNECTION,))
    particular = [row for row in _rows(command, name) if row not in connection]
    is_usual = bool(usual) and connection == list(usual)
    if shown := particular if is_usual else particular + connection:
        parts.append(_options(shown))
    further = ["the [connection options](#connection-options)"] if is_usual else []
    if any(_group(param) in _SETTINGS for param in command.params):
        further.append("an option for each [setting of an inspection](settings.md#settings-of-an-inspection)")
    if further:
        parts.append(f"Also {' and '.join(further)}.")
    return "\n\n".join(parts)


def _paragraph(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines()) if text.startswith("- ") else sentence(text)


def _rows(command: click.Command, name: str, groups: Sequence[str] = ()) -> list[tuple[str, str]]:
    context = _context(command, name)
    records = (
        param.get_help_record(context)
        for param in command.params
        if isinstance(param, click.Option)
        and _group(param) not in _SETTINGS
        and (not groups or _group(param) in groups)
    )
    return [record for record in records if record]


def _context(command: click.Command, name: str) -> click.Context:
    return click.Context(command, info_name=name)


def _group(param: click.Parameter) -> str:
    return param.group if isinstance(param, GroupedOption) else ""


def _options(rows: Sequence[tuple[str, str]]) -> str:
    return table(("Option", "Meaning"), ((code(option), " ".join(text.split())) for option, text in rows))
