"""Generated files of the library, and the check that they are up to date."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from .building import CRATE
from .manifest import manifest_text
from .records import rust_records

CONTRACT: Final = Path("mirror/gateway/src/gateway/plugin/v1")
_MESSAGES: Final = {"plugin": "_generated_contract.rs", "go_plugin": "_generated_go_plugin.rs"}


def generated(root: Path) -> Mapping[Path, str]:
    """Return path and text of every generated file.

    The records come from the contract, which a gateway without plugins does not have: they are then left as they are.
    """
    found = {CRATE / "manifest.json": manifest_text(root)}
    for name, target in _MESSAGES.items():
        source = root / CONTRACT / f"{name}.proto"
        if source.is_file():
            found[CRATE / "src" / target] = rust_records(source.read_text("utf-8"), f"{name}.proto")
    return found


def differing(root: Path) -> list[Path]:
    """Return the files that differ from their source."""
    return [name for name, text in generated(root).items() if not _is(root / name, text)]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text("utf-8") == text
