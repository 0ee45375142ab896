"""The source of an entry point turned into the generated one: imports made absolute, lines inserted. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from ..declaration.entry import Anchor, EntryDeclaration
from ..errors import ToolError
from .anchors import AnchorPlace

_RELATIVE = re.compile(r"from\s+(?P<dots>[.\s]*\.)\s*(?P<module>[\w.]*)\s*import\b")


def splice(text: str, tree: ast.Module, declaration: EntryDeclaration, places: Mapping[str, AnchorPlace]) -> str:
    """Return the source with every anchor's insertion or replacement done and every import absolute.

    Args:
        text: the source.
        tree: the source parsed.
        declaration: the lines to insert.
        places: where each anchor stands, by its name.

    Raises:
        ToolError: a relative import leads out of the package.
    """
    lines = text.splitlines()
    # Each edit replaces the lines [first, last) counted from 0; done from the end, earlier numbers stay valid.
    edits: list[tuple[int, int, list[str]]] = []
    for anchor in declaration.anchors:
        edits.extend(anchor_edits(anchor, places[anchor.name], lines))
    edits.extend(_import_edits(tree, declaration, lines))
    if declaration.imports:
        at = _end_of_imports(tree)
        edits.append((at, at, list(declaration.imports)))
    for first, last, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        lines[first:last] = new
    return "\n".join(lines) + "\n"


def anchor_edits(anchor: Anchor, place: AnchorPlace, lines: Sequence[str]) -> list[tuple[int, int, list[str]]]:
    """The edits of one anchor: lines from, to, counted from 0, and the lines in their place."""
    indent = lines[place.first - 1][: place.column]
    edits = []
    if anchor.replacement:
        edits.append((place.first - 1, place.last, _indented(anchor.replacement, indent)))
    if anchor.insert_after:
        edits.append((place.last, place.last, _indented(anchor.insert_after, indent)))
    return edits


def _indented(text: str, indent: str) -> list[str]:
    return [indent + line if line.strip() else "" for line in text.strip("\n").splitlines()]


def _import_edits(
    tree: ast.Module, declaration: EntryDeclaration, lines: Sequence[str]
) -> list[tuple[int, int, list[str]]]:
    edits = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            first, last = node.lineno - 1, node.end_lineno or node.lineno
            segment = "\n".join(lines[first:last])
            module = _absolute(node, declaration.package)
            # Everything before the statement on its line is indentation or an earlier statement in plain ASCII.
            head, tail = segment[: node.col_offset], segment[node.col_offset :]
            changed, count = _RELATIVE.subn(f"from {module} import", tail, count=1)
            if count != 1 or not _RELATIVE.match(tail):
                raise ToolError(f"line {node.lineno}: the relative import is written in a way that is not understood")
            edits.append((first, last, (head + changed).split("\n")))
    return edits


def _absolute(node: ast.ImportFrom, package: str) -> str:
    parts = package.split(".")
    if node.level > len(parts):
        raise ToolError(f"line {node.lineno}: the relative import leads out of the package {package}")
    kept = parts[: len(parts) - node.level + 1]
    return ".".join([*kept, *([node.module] if node.module else [])])


def _end_of_imports(tree: ast.Module) -> int:
    """The number of lines up to the last import at the top of the module; after the docstring when there is none."""
    end = 0
    for number, node in enumerate(tree.body):
        docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if docstring or isinstance(node, (ast.Import, ast.ImportFrom)):
            end = node.end_lineno or end
        elif not docstring:
            break
    return end
