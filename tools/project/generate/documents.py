"""Blocks of generated text in the documents, between two comments that name the block; and the OpenAPI description."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import click

from extension.cli.program import poolkeeper

from . import commands, interface, settings, verdicts
from .sources import ROOT, text_of

Block = Callable[[], str]
DESCRIPTION = "docs/openapi.json"

_MARK = "<!-- generated: {name} -->"
_END = "<!-- end -->"
_BLOCK = re.compile(r"<!-- generated: (?P<name>[a-z-]+) -->\n(?P<text>.*?)<!-- end -->", re.DOTALL)


def generated(tools: click.Group) -> dict[Path, str]:
    """Return the text of each document with its blocks generated anew, and the OpenAPI description.

    Args:
        tools: the program of the tools.

    Raises:
        LookupError: a document lacks a block, or has one that nothing generates.
    """
    texts = {name: filled(name, text_of(name), blocks) for name, blocks in blocks_of(tools).items()}
    return {ROOT / name: text for name, text in (*texts.items(), (DESCRIPTION, interface.published()))}


def blocks_of(tools: click.Group) -> Mapping[str, Mapping[str, Block]]:
    """Return the generator of each block, by document and name."""
    return {
        "docs/settings.md": {
            "service-settings": settings.service,
            "inspection-settings": settings.inspection,
            "automatic-actions": settings.automatic_actions,
        },
        "docs/api.md": {
            "own-paths": interface.paths,
            "planned-paths": interface.planned,
            "resources": interface.resources_in_detail,
            "errors": interface.errors,
            "shapes": interface.shapes,
        },
        "docs/verdicts.md": {
            "verdicts": verdicts.meanings,
            "reasons": verdicts.reasons,
            "recommendations": verdicts.recommendations,
            "families": verdicts.families,
            "oauth-types": verdicts.oauth_types,
        },
        "docs/findings.md": {"finding-codes": commands.findings},
        "docs/command-line.md": {
            "commands": partial(commands.overview, poolkeeper, commands.PROGRAM),
            "command-options": commands.details,
            "tool-commands": partial(commands.overview, tools, commands.TOOLS),
            "tool-options": partial(commands.tools_details, tools),
        },
        "docs/upgrading.md": {"renamed-commands": commands.renamed},
    }


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
