"""Anchors found on the syntax tree of Go source: the same tokens, however they are laid out. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from ..declaration.entry import Anchor
from ..errors import ToolError
from ..golang.endings import ended_by_init, leaves
from ..golang.nodes import line_of, parse, text_of
from .anchors import AnchorPlace, Miscount

_SHOWN = 3
_CASES = ("expression_case", "default_case", "type_case", "communication_case")
_LISTS = {"source_file", "block", "statement_list", *_CASES}
_AROUND = {
    "if_statement", "for_statement", "func_literal", "go_statement", "defer_statement", "select_statement",
    "expression_switch_statement", "type_switch_statement", "labeled_statement",
}  # fmt: skip
_BEFORE_FUNCTION = "package anchor\nfunc _() {\n"


@dataclass(frozen=True)
class GoPlace:
    """Place of an anchor with its surroundings: conditions from the outside in, and a line that leaves before it."""

    place: AnchorPlace
    under: tuple[str, ...]
    left_at: int


def find_go(anchor: Anchor, root: Node, text: str) -> GoPlace | Miscount:
    """Find the one statement that is the anchor, or say how often and where it, or something like it, stands.

    Raises:
        ToolError: the anchor itself is not one statement of Go.
    """
    wanted = _wanted(anchor)
    lines = text.splitlines()
    found = [node for node in statements(root) if tokens(node) == wanted]
    if len(found) != 1:
        matches = tuple(line_of(node) for node in found)
        near = tuple((line, lines[line - 1].strip()) for line in matches) or _nearest(wanted, root, lines)
        return Miscount(anchor, matches, near)
    node = found[0]
    first, last = line_of(node), int(node.end_point[0]) + 1
    before, after = lines[first - 1].encode()[: node.start_point[1]], lines[last - 1].encode()[node.end_point[1] :]
    if before.strip() or after.decode().partition("//")[0].strip():
        raise ToolError(f"the anchor {anchor.name!r} shares line {first} with another statement")
    place = AnchorPlace(first, last, len(before), _function(node))
    return GoPlace(place, tuple(_under(node))[::-1], _left_at(node) or _ended_at(root, place))


def moved_go(anchors: Sequence[Anchor], places: Mapping[str, GoPlace]) -> Iterator[tuple[Anchor, str]]:
    """Yield every anchor in another function or under other conditions than declared, or out of the declared order."""
    above: GoPlace | None = None
    for anchor in anchors:
        here = places[anchor.name]
        function = here.place.function
        if anchor.function and function != anchor.function:
            where = f"in {function}" if function else "at the top of the file"
            yield anchor, f"stands {where}, not in {anchor.function}"
        elif above is not None and here.place.first <= above.place.last:
            yield anchor, "stands before the anchor that is declared before it"
        elif here.left_at:
            yield anchor, f"is never reached: line {here.left_at} leaves before it"
        elif here.under != anchor.under:
            yield anchor, f"stands under {_listed(here.under)}, and its `under` says {_listed(anchor.under)}"
        above = here


def statements(node: Node) -> Iterator[Node]:
    """Yield every statement and declaration at any depth, in the order of lines."""
    for child in node.named_children:
        if node.type in _LISTS and child.type not in ("comment", "statement_list"):
            yield child
        yield from statements(child)


def tokens(node: Node) -> tuple[str, ...]:
    """The tokens of a node without comments, ends of statements and the comma before an end of a list."""
    if node.type == "comment":
        return ()
    if not node.children or node.type.endswith("string_literal"):
        return (text_of(node),) if node.type not in (";", "\n") else ()
    found = [token for child in node.children for token in tokens(child)]
    return tuple(
        one for one, after in zip(found, [*found[1:], ""], strict=True) if one != "," or after not in (")", "}")
    )


def _wanted(anchor: Anchor) -> tuple[str, ...]:
    text = anchor.statement.strip()
    for source in (f"{_BEFORE_FUNCTION}{text}\n}}\n", f"package anchor\n{text}\n"):
        root = parse(source.encode())
        top = root.named_children[1:] if not root.has_error else []
        inside = source.startswith(_BEFORE_FUNCTION)
        body = top[0].child_by_field_name("body") if inside and top else None
        found = [one for one in _flat(body.named_children if body is not None else top) if one.type != "comment"]
        if len(found) == 1 and not root.has_error:
            return tokens(found[0])
    raise ToolError(f"the anchor {anchor.name!r} is not exactly one statement of Go")


def _flat(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield from node.named_children if node.type == "statement_list" else (node,)


def _above(node: Node) -> Iterator[tuple[Node, Node]]:
    """Yield every node above, with the node below it on the way."""
    here, up = node, node.parent
    while up is not None:
        yield up, here
        here, up = up, up.parent


def _function(node: Node) -> str:
    for up, _ in _above(node):
        if up.type == "function_declaration":
            return text_of(up.child_by_field_name("name"))
        if up.type == "method_declaration":
            receiver = text_of(up.child_by_field_name("receiver")).strip("()").split()
            return f"{receiver[-1].lstrip('*').partition('[')[0]}.{text_of(up.child_by_field_name('name'))}"
    return ""


def _under(node: Node) -> Iterator[str]:
    """Yield headers of the blocks around a node, the inner ones first, up to its function."""
    for up, here in _above(node):
        if up.type in ("function_declaration", "method_declaration"):
            return
        if up.type in _CASES or up.type in _AROUND:
            header = " ".join(text_of(up)[: _offset(up, here)].split()).rstrip("{").strip()
            other = up.type == "if_statement" and up.child_by_field_name("alternative") == here
            yield f"else of {_header(up)}" if other else header or up.type.replace("_", " ")


def _header(node: Node) -> str:
    body = node.child_by_field_name("consequence")
    return " ".join(text_of(node)[: _offset(node, body)].split()).strip() if body is not None else text_of(node)


def _offset(up: Node, here: Node) -> int:
    return len((up.text or b"")[: here.start_byte - up.start_byte].decode("utf-8", "replace"))


def _left_at(node: Node) -> int:
    """The line of a statement that always leaves before a node, in a block around it; 0 for none."""
    for up, here in _above(node):
        if up.type in ("function_declaration", "method_declaration"):
            return 0
        if up.type in _LISTS:
            for one in up.named_children:
                if one == here:
                    break
                if leaves(one):
                    return line_of(one)
    return 0


def _ended_at(root: Node, place: AnchorPlace) -> int:
    """The line in an `init` that ends the program before an anchor in another function; 0 for none."""
    return ended_by_init(root) if place.function not in ("", "init") else 0


def _listed(conditions: Sequence[str]) -> str:
    return " and ".join(f"`{one}`" for one in conditions) or "no condition"


def _nearest(wanted: tuple[str, ...], root: Node, lines: Sequence[str]) -> tuple[tuple[int, str], ...]:
    rated: dict[int, float] = {}
    text = " ".join(wanted)
    for node in statements(root):
        likeness = difflib.SequenceMatcher(None, text, " ".join(tokens(node))[: 2 * len(text)]).ratio()
        rated[line_of(node)] = max(likeness, rated.get(line_of(node), 0.0))
    best = sorted(rated, key=lambda number: (-rated[number], number))[:_SHOWN]
    return tuple((number, lines[number - 1].strip()) for number in best)
