"""Generated text of the documents: tables between two comments that name them, and whole references.

The tables are committed with their documents. The references are built into `docs/reference`, which git ignores.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import click

from extension.cli.program import poolkeeper

from . import commands, interface, settings, verdicts
from .sources import ROOT, text_of

Block = Callable[[], str]
REFERENCE = "docs/reference"

_MARK = "<!-- generated: {name} -->"
_END = "<!-- end -->"
_BLOCK = re.compile(r"<!-- generated: (?P<name>[a-z-]+) -->\n(?P<text>.*?)<!-- end -->", re.DOTALL)


def generated() -> dict[Path, str]:
    """Return the text of each committed document with its tables generated anew.

    Raises LookupError: a document lacks a table, or has one that nothing generates.
    """
    return {ROOT / name: filled(name, text_of(name), blocks) for name, blocks in BLOCKS.items()}


def references(tools: click.Group) -> dict[Path, str]:
    """Return the text of each reference; `tools` is the program of the tools."""
    sections: Mapping[str, Mapping[str, Block]] = {
        "HTTP API": {
            "Paths": interface.paths,
            "Error codes": interface.errors,
            "Requests": interface.resources_in_detail,
            "Shapes": interface.shapes,
        },
        "Command line": {
            "poolkeeper": partial(commands.overview, poolkeeper, commands.PROGRAM),
            "Commands of poolkeeper": commands.details,
            "Tools for maintainers": partial(commands.overview, tools, commands.TOOLS),
            "Commands of the tools": partial(commands.tools_details, tools),
        },
        "Reasons": {"Codes and sentences": verdicts.reasons},
        "Findings of the gates": {"Codes": commands.findings},
    }
    names = dict(zip(sections, ("api", "command-line", "reasons", "findings"), strict=True))
    texts = {f"{names[title]}.md": _reference(title, parts) for title, parts in sections.items()}
    return {ROOT / REFERENCE / name: text for name, text in (*texts.items(), ("openapi.json", interface.published()))}


def _reference(title: str, parts: Mapping[str, Block]) -> str:
    return (
        "\n\n".join([f"# {title}", *(f"## {heading}\n\n{block().strip()}" for heading, block in parts.items())]) + "\n"
    )


BLOCKS: Mapping[str, Mapping[str, Block]] = {
    "docs/settings.md": {
        "service-settings": settings.service,
        "inspection-settings": settings.inspection,
        "automatic-actions": settings.automatic_actions,
    },
    "docs/verdicts.md": {
        "verdicts": verdicts.meanings,
        "recommendations": verdicts.recommendations,
        "families": verdicts.families,
        "oauth-types": verdicts.oauth_types,
    },
}
"""The generator of each table, by document and name."""


def without_blocks(text: str) -> str:
    """Return the hand-written part of a document."""
    return _BLOCK.sub("", text)


def filled(name: str, text: str, blocks: Mapping[str, Block]) -> str:
    """Return the text of a document with its blocks generated anew; LookupError when they are not those declared."""
    names = [match["name"] for match in _BLOCK.finditer(text)]
    if sorted(names) != sorted(blocks):
        raise LookupError(f"{name} has the blocks {names} and should have {list(blocks)}.")
    return _BLOCK.sub(
        lambda match: f"{_MARK.format(name=match['name'])}\n\n{blocks[match['name']]().strip()}\n\n{_END}", text
    )
