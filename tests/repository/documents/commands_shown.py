"""The commands that documents show, and their check against the command lines themselves."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

import click

from extension.cli.program import poolkeeper
from tests.repository.documents.texts import fenced, spans
from tests.repository.tracked import text_of
from tools.mirror.cli import program_with
from tools.project.commands import COMMANDS
from tools.project.generate.commands import PROGRAM, TOOLS

_TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
_VARIABLE = re.compile(r"^[A-Z_]+=")
_COMMENT = re.compile(r"\s+#\s.*$")
_SHELL = re.compile(r"[|;>]|&&")


def shown(text: str) -> list[str]:
    """Return the commands within sentences and tables."""
    return spans(text)


def shown_in_full(text: str) -> list[str]:
    """Return the commands of shell blocks, which a reader copies as they are."""
    lines = [_COMMENT.sub("", line) for block in fenced(text, "sh") for line in block.splitlines()]
    return [part.strip() for line in lines for part in _SHELL.split(line) if part.strip()]


def problem_of(command: str, *, in_full: bool = False) -> str:
    """Return the problem of a shown command, or an empty text when it is right or none of ours.

    A command within a sentence may leave out arguments; one that is shown in full has to parse with all its values.
    """
    words = _words(command)
    while words and _VARIABLE.match(words[0]):
        words = words[1:]
    if words[:1] == ["make"]:
        return _make_problem(words[1:])
    for program, group in _programs().items():
        start = program.split()
        if words[: len(start)] == start:
            return _problem(group, words[len(start) :], in_full=in_full)
    return ""


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return [re.sub(r"^\.venv/bin/", "", words[0]), *words[1:]] if words else []


def _programs() -> Mapping[str, click.Group]:
    return {PROGRAM: poolkeeper, TOOLS: program_with(COMMANDS)}


def _make_problem(words: Sequence[str]) -> str:
    targets = set(_TARGET.findall(text_of("Makefile")))
    unknown = [word for word in words if "=" not in word and word not in targets]
    return f"make has no target {unknown[0]}" if unknown else ""


def _problem(group: click.Group, words: Sequence[str], *, in_full: bool) -> str:
    command: click.Command = group
    rest = list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        subcommand = command.get_command(click.Context(command), rest[0])
        if subcommand is None:
            return f"there is no command {rest[0]!r}"
        command, rest = subcommand, rest[1:]
    if isinstance(command, click.Group) and not rest:
        return f"{command.name} needs a command" if in_full else ""
    return _full_problem(command, rest) if in_full else _option_problem(command, rest)


def _full_problem(command: click.Command, words: list[str]) -> str:
    try:
        command.make_context(command.name, words)
    except click.ClickException as error:
        return error.format_message()
    return ""


def _option_problem(command: click.Command, words: Sequence[str]) -> str:
    known = {spelling for param in command.params for spelling in (*param.opts, *param.secondary_opts)}
    known |= set(command.get_help_option_names(click.Context(command)))
    unknown = [word for word in words if word.startswith("-") and word.partition("=")[0] not in known]
    return f"{command.name} has no option {unknown[0]}" if unknown else ""
