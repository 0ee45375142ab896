"""Blocks of generated text in the documents, between two comments that name the block."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tests.repository.documents import (
    command_blocks,
    finding_blocks,
    interface_blocks,
    settings_blocks,
    verdict_blocks,
)
from tests.repository.tracked import ROOT

Block = Callable[[], str]

BLOCKS: Mapping[str, Mapping[str, Block]] = {
    "docs/settings.md": {
        "service-settings": settings_blocks.service,
        "inspection-settings": settings_blocks.inspection,
        "automatic-actions": settings_blocks.automatic_actions,
    },
    "docs/api.md": {
        "own-paths": interface_blocks.paths,
        "planned-paths": interface_blocks.planned,
        "resources": interface_blocks.resources_in_detail,
        "errors": interface_blocks.errors,
        "shapes": interface_blocks.shapes,
    },
    "docs/verdicts.md": {
        "verdicts": verdict_blocks.meanings,
        "reasons": verdict_blocks.reasons,
        "recommendations": verdict_blocks.recommendations,
        "families": verdict_blocks.families,
        "oauth-types": verdict_blocks.oauth_types,
    },
    "docs/findings.md": {"finding-codes": finding_blocks.findings},
    "docs/command-line.md": {
        "commands": command_blocks.overview,
        "command-options": command_blocks.details,
        "tool-commands": command_blocks.tools_overview,
        "tool-options": command_blocks.tools_details,
    },
}
"""Generator of each block, by document and name."""

_MARK = "<!-- generated: {name} -->"
_END = "<!-- end -->"
_BLOCK = re.compile(r"<!-- generated: (?P<name>[a-z-]+) -->\n(?P<text>.*?)<!-- end -->", re.DOTALL)


def filled() -> dict[str, str]:
    """Return the text of each document with its blocks generated anew.

    Raises:
        LookupError: a document lacks a block, or has one that nothing generates.
    """
    return {name: _filled(name, (ROOT / name).read_text(encoding="utf-8"), blocks) for name, blocks in BLOCKS.items()}


def without_blocks(text: str) -> str:
    """Return the hand-written part of a document."""
    return _BLOCK.sub("", text)


def _filled(name: str, text: str, blocks: Mapping[str, Block]) -> str:
    found = [match["name"] for match in _BLOCK.finditer(text)]
    if sorted(found) != sorted(blocks):
        raise LookupError(f"{name} has the blocks {found} and should have {list(blocks)}.")
    return _BLOCK.sub(
        lambda match: f"{_MARK.format(name=match['name'])}\n\n{blocks[match['name']]().strip()}\n\n{_END}", text
    )
