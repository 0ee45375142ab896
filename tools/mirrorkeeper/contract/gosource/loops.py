"""Loops over tables that are written out in Go source. Pure over a parsed tree."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ...golang.nodes import text_of
from .expressions import Expressions
from .scope import GoScope
from .tables import assigned, counted_table, element_fields, element_parts, named_parts, ranged_table


def table_rows(meaning: Expressions, loop: Node, scope: GoScope) -> Iterator[dict[str, str | None]]:
    """Yield for each row of a table that a loop goes over the texts by name: `path`, `row.path`, `rows[i].path`."""
    names, right = counted_table(loop) or ranged_table(loop)
    table = _table(meaning, right) if right is not None else None
    if table is None or not names:
        return
    fields = element_fields(table, meaning.package)
    body = table.child_by_field_name("body")
    for element in body.named_children if body is not None else ():
        if element.type == "comment":
            continue
        key, value = element_parts(element)
        found: dict[str, str | None] = {names[0]: meaning.text(key, scope) if key is not None else None}
        for name in (*names[1:2], f"{text_of(right)}[{names[0]}]"):
            found[name] = meaning.text(value, scope)
            parts = named_parts(value, fields)
            found.update({f"{name}.{part}": meaning.text(one, scope) for part, one in parts.items()})
        yield found


def _table(meaning: Expressions, node: Node) -> Node | None:
    if node.type == "composite_literal":
        return node
    name = text_of(node) if node.type == "identifier" else ""
    here = assigned(meaning.function.body, name) if name else None
    files = () if name in meaning.package.assigned else meaning.package.files
    found = here or next((file.constants[name] for file in files if name in file.constants), None)
    return found if found is not None and found.type == "composite_literal" else None
