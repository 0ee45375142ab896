"""A generated entry in Go: the mirrored source with lines inserted at anchors and imports of our own. Pure.

Only a build sees whether the result compiles: names that other files of the source's package declare are not there.
Imports that no build allows from the target's place are findings here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from ..declaration.entry import EntryDeclaration
from ..errors import ToolError
from ..findings import Finding
from ..golang.nodes import below, literal, parse
from .anchors import Miscount
from .generated import Generated, displaced, miscounted
from .go_anchors import GoPlace, find_go, moved_go
from .splice import anchor_edits

_FIX = "correct [entry] in upstream.toml"


def generate_go(path: str, content: bytes, entry: EntryDeclaration, header: Sequence[str], package: str) -> Generated:
    """Make the text of the entry.

    Args:
        path: the source, as it is shown.
        content: its bytes.
        entry: the declaration.
        header: the comment lines of the generated file.
        package: import path of the target's folder; empty when it is not known.

    Raises:
        ToolError: the source is not Go.
    """
    text = content.decode("utf-8").replace("\r\n", "\n")
    root = parse(text.encode())
    if root.has_error:
        raise ToolError(f"the source {path} is not Go that can be read", "mirror a release that works")
    found = {anchor.name: find_go(anchor, root, text) for anchor in entry.anchors}
    findings = tuple(miscounted(path, one) for one in found.values() if isinstance(one, Miscount))
    if findings:
        return Generated(findings=findings)
    places = {name: one for name, one in found.items() if isinstance(one, GoPlace)}
    plain = {name: one.place for name, one in places.items()}
    findings = (
        *_left_out(path, text),
        *(displaced(path, *one, plain) for one in moved_go(entry.anchors, places)),
    )
    if findings:
        return Generated(findings=findings)
    made = "".join(f"// {line}\n" for line in header) + "\n" + _spliced(text, root, entry, places)
    problems = tuple(_problems(made, entry, package))
    return Generated(findings=problems) if problems else Generated(made)


def _left_out(path: str, text: str) -> Iterator[Finding]:
    """Find the constraint before the package clause by which no build takes the source, and so none the entry."""
    for line in text.partition("\npackage ")[0].splitlines():
        words = line.removeprefix("//go:build ").split("&&") if line.startswith("//go:build ") else ()
        old = line.removeprefix("// +build ").split() if line.startswith("// +build ") else ()
        if "ignore" in map(str.strip, words) or list(old) == ["ignore"]:
            yield Finding("GEN004", path.encode(), f"no build takes it, by `{line.strip()}`", _FIX)


def _spliced(text: str, root: Node, entry: EntryDeclaration, places: Mapping[str, GoPlace]) -> str:
    lines = text.splitlines()
    edits = [edit for anchor in entry.anchors for edit in anchor_edits(anchor, places[anchor.name].place, lines)]
    if entry.imports:
        at = _after_package(root)
        specs = [f"\t{one.removeprefix('import ').strip()}" for one in entry.imports if one.strip()]
        edits.append((at, at, ["", "import (", *specs, ")"]))
    for first, last, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        lines[first:last] = new
    return "\n".join(lines) + "\n"


def _after_package(root: Node) -> int:
    clause = next(node for node in root.named_children if node.type == "package_clause")
    return int(clause.end_point[0]) + 1


def _problems(made: str, entry: EntryDeclaration, package: str) -> Iterator[Finding]:
    root, target = parse(made.encode()), entry.target.encode()
    if root.has_error:
        yield Finding("GEN004", target, "with the insertions it is not Go that can be read", _FIX)
        return
    for spec in below(root, "import_spec"):
        node = spec.child_by_field_name("path")
        path = (literal(node) or "") if node is not None else ""
        words = path.split("/")
        if package and "internal" in words:
            top = "/".join(words[: words.index("internal")])
            if package != top and not package.startswith(f"{top}/"):
                text = f"imports {path}, and Go lets only code below {top} import it, not {package}"
                yield Finding("GEN004", target, text, "declare a source that imports no internal package")
