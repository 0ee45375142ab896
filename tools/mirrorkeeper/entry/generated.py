"""The result of generating an entry, and the findings about anchors, whatever the language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..declaration.entry import Anchor
from ..findings import Finding
from .anchors import AnchorPlace, Miscount


@dataclass(frozen=True)
class Generated:
    """Result of generating: the text, or the findings that prevented it."""

    text: str = ""
    findings: tuple[Finding, ...] = ()


def miscounted(path: str, one: Miscount) -> Finding:
    """The finding about an anchor that does not match exactly once, with the lines nearest to it."""
    code = "GEN003" if one.lines else "GEN002"
    count = f"matches {len(one.lines)} statements" if one.lines else "matches no statement"
    what = "they stand in" if one.lines else "nearest"
    details = tuple(f"{what} line {line}: {text}" for line, text in one.nearest)
    message = f"the anchor {one.anchor.name!r} {count}, not exactly one: {one.anchor.statement.strip()}"
    line = one.nearest[0][0] if one.nearest else 0
    return Finding(code, path.encode(), message, "change the anchor in upstream.toml, or the upstream", line, details)


def displaced(path: str, anchor: Anchor, text: str, places: Mapping[str, AnchorPlace]) -> Finding:
    """The finding about an anchor that stands elsewhere than declared."""
    message = f"the anchor {anchor.name!r} {text}: {anchor.statement.strip()}"
    fix = "see whether the insertion still means the same there, then change the anchor in upstream.toml"
    return Finding("GEN006", path.encode(), message, fix, places[anchor.name].first)
