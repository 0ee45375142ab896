"""Names in the sentences of a document that look like settings, fields or options, held against those that exist."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from extension.cli.program import poolkeeper
from extension.inspection.settings import SETTING_NAMES
from extension.serving.settings.service_settings import ServiceSettings
from tests.repository.documents.texts import spans
from tools.mirror.cli import program_with
from tools.project.commands import COMMANDS
from tools.project.generate.commands import every
from tools.project.generate.interface import described

FIELD = re.compile(r"[a-z]+(?:[A-Z][a-z]*)+")
ASSIGNED = re.compile(r"(?P<name>[a-z]+(?:_[a-z]+)+) =")
OPTION = re.compile(r"--[a-z][a-z-]+")
ELSEWHERE = frozenset({"foreignEdits"})
"""A field of the messages of channels."""


@cache
def _names() -> frozenset[str]:
    return frozenset({*SETTING_NAMES, *ServiceSettings.model_fields, *ELSEWHERE, *_fields(described())})


def _fields(described_part: Any) -> Iterator[str]:
    """Yield the names of fields and parameters of an interface description."""
    if isinstance(described_part, Mapping):
        yield from described_part.get("properties", ())
        if isinstance(name := described_part.get("name"), str):
            yield name
    parts = described_part.values() if isinstance(described_part, Mapping) else described_part
    if isinstance(described_part, Mapping | list):
        for part in parts:
            yield from _fields(part)


@cache
def _options() -> frozenset[str]:
    """Return the options of all commands."""
    programs = ((poolkeeper, "poolkeeper"), (program_with(COMMANDS), "tools"))
    commands = (command for program, name in programs for _, command in every(program, name))
    return frozenset({"--help", *(option for command in commands for param in command.params for option in param.opts)})


def unknown_names(text: str) -> list[str]:
    """Return the names that exist nowhere, in the order of the text."""
    unknown = []
    for span in spans(text):
        assigned = ASSIGNED.match(span)
        name = assigned["name"] if assigned else span
        if (assigned or FIELD.fullmatch(span)) and name not in _names():
            unknown.append(name)
        option = OPTION.match(span)
        if option and option[0] not in _options():
            unknown.append(option[0])
    return unknown
