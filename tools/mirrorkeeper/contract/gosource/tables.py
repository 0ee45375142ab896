"""Tables written out in Go source: lists and mappings of texts or structures. Pure over a parsed tree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from ...golang.nodes import below, text_of
from .packages import Package

_COUNTER = re.compile(r"(\w+) *:= *0")


def element_fields(table: Node, package: Package) -> tuple[str, ...]:
    """Return the field names of the structures in a list, in order; none for anything else."""
    kind = table.child_by_field_name("type")
    element = kind.child_by_field_name("element") or kind.child_by_field_name("value") if kind is not None else None
    if element is None:
        return ()
    if element.type == "struct_type":
        return tuple(
            text_of(name) for one in below(element, "field_declaration") for name in one.children_by_field_name("name")
        )
    found = package.structure(text_of(element).lstrip("*"))
    return tuple(one.name for one in found[1]) if found else ()


def element_parts(element: Node) -> tuple[Node | None, Node]:
    """Return key and value of an element; a list has no keys."""
    if element.type == "keyed_element" and len(element.named_children) > 1:
        return inner(element.named_children[0]), inner(element.named_children[1])
    return None, inner(element)


def named_parts(value: Node, fields: tuple[str, ...]) -> dict[str, Node]:
    """Return the parts of a structure by field name, whether they are named in the source or not."""
    body = value if value.type == "literal_value" else value.child_by_field_name("body")
    parts: dict[str, Node] = {}
    for at, element in enumerate(one for one in (body.named_children if body is not None else ()) if one.is_named):
        key, part = element_parts(element)
        name = text_of(key) if key is not None else fields[at] if at < len(fields) else ""
        if name:
            parts[name] = part
    return parts


def assigned(body: Node, name: str) -> Node | None:
    """Return the value that a function gives to a name in its first short declaration."""
    for one in below(body, "short_var_declaration"):
        left, right = one.child_by_field_name("left"), one.child_by_field_name("right")
        if left is not None and right is not None and text_of(left) == name and right.named_children:
            return right.named_children[0]
    return None


def keyed_values(composite: Node) -> Iterator[tuple[Node, Node]]:
    """Yield key and value of each element of a composite literal that has a key."""
    body = composite.child_by_field_name("body")
    for element in body.named_children if body is not None else ():
        if element.type == "keyed_element" and len(element.named_children) == 2:  # noqa: PLR2004 - key and value
            yield inner(element.named_children[0]), inner(element.named_children[1])


def inner(node: Node) -> Node:
    """Return the expression within an element of a list."""
    return node.named_children[0] if node.type == "literal_element" and node.named_children else node


def ranged_table(loop: Node) -> tuple[list[str], Node | None]:
    """Return the names that a `range` loop gives values, and the table it goes over."""
    clause = next((one for one in loop.named_children if one.type == "range_clause"), None)
    left = clause.child_by_field_name("left") if clause is not None else None
    right = clause.child_by_field_name("right") if clause is not None else None
    return ([text_of(one) for one in left.named_children] if left is not None else []), right


def counted_table(loop: Node) -> tuple[list[str], Node] | None:
    """Return the counter and the table of `for i := 0; i < len(table); i++`; None of any other loop."""
    clause = next((one for one in loop.named_children if one.type == "for_clause"), None)
    begun, until, step = (
        clause.child_by_field_name(name) if clause is not None else None
        for name in ("initializer", "condition", "update")
    )
    started = _COUNTER.fullmatch(text_of(begun))
    if started is None or until is None or text_of(step) != f"{started[1]}++":
        return None
    bound = until.child_by_field_name("right")
    listed = bound.child_by_field_name("arguments") if bound is not None else None
    counts = text_of(until).replace(" ", "") == f"{started[1]}<{text_of(bound)}" and text_of(bound).startswith("len(")
    return ([started[1]], listed.named_children[0]) if counts and listed is not None and listed.named_children else None
