"""Anchors found on the syntax tree: statements whose meaning is the anchor's, however they are laid out. Pure."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..declaration.entry import Anchor
from ..errors import ToolError
from .surroundings import Surroundings, surroundings

_SHOWN = 3
_FREE = Surroundings()


@dataclass(frozen=True)
class AnchorPlace:
    """Position of an anchor: first and last line (from 1), the column its first line begins at, and in which function.

    `function` is dotted where functions or classes are nested, and empty at the top of the module. `around` holds
    the conditions it stands under.
    """

    first: int
    last: int
    column: int
    function: str = ""
    around: Surroundings = _FREE


@dataclass(frozen=True)
class Miscount:
    """An anchor that does not match exactly once.

    Attributes:
        anchor: which.
        lines: line numbers of all matches.
        nearest: the lines most like it, as (line number, text).
    """

    anchor: Anchor
    lines: tuple[int, ...]
    nearest: tuple[tuple[int, str], ...]


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield every statement of a module, at whatever depth."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            yield node


def find(anchor: Anchor, tree: ast.Module, text: str) -> AnchorPlace | Miscount:
    """Find the one statement that is the anchor, or say how often and where it, or something like it, stands.

    Raises:
        ToolError: the anchor itself is not one Python statement.
    """
    wanted = normal_form(anchor)
    lines = text.splitlines()
    found = sorted((node for node in statements(tree) if ast.unparse(node) == wanted), key=lambda node: node.lineno)
    if len(found) != 1:
        matches = tuple(node.lineno for node in found)
        near = tuple((line, lines[line - 1].strip()) for line in matches) or _nearest(wanted, tree, lines)
        return Miscount(anchor, matches, near)
    node = found[0]
    place = AnchorPlace(
        node.lineno, node.end_lineno or node.lineno, node.col_offset, _around(node, tree), surroundings(node, tree)
    )
    if _shares_line(node, tree):
        raise ToolError(f"the anchor {anchor.name!r} shares line {place.first} with another statement")
    return place


def normal_form(anchor: Anchor) -> str:
    """The anchor's statement as Python itself would write it.

    Raises:
        ToolError: it is not exactly one statement.
    """
    try:
        body = ast.parse(anchor.statement).body
    except SyntaxError as error:
        raise ToolError(f"the anchor {anchor.name!r} is not valid Python: {error.msg}") from error
    if len(body) != 1:
        raise ToolError(f"the anchor {anchor.name!r} is {len(body)} statements, not one")
    return ast.unparse(body[0])


def moved(anchors: Sequence[Anchor], places: Mapping[str, AnchorPlace]) -> Iterator[tuple[Anchor, str]]:
    """Yield every anchor in another function or under other conditions than declared, or out of the declared order."""
    above: Anchor | None = None
    for anchor in anchors:
        place = places[anchor.name]
        if anchor.function and place.function != anchor.function:
            where = f"in {place.function}" if place.function else "at the top of the module"
            yield anchor, f"stands {where}, not in {anchor.function}"
        elif above is not None and place.first <= places[above.name].last:
            yield anchor, f"stands before {above.name!r}, not after it"
        elif place.around.left_at:
            yield anchor, f"is never reached: line {place.around.left_at} leaves before it"
        elif place.around.replaced_at:
            yield anchor, f"is never reached: line {place.around.replaced_at} defines {place.function} anew"
        elif place.around.uncalled:
            yield anchor, f"is never reached: nothing that the module runs calls {place.around.uncalled}"
        elif place.around.under != anchor.under:
            yield anchor, f"stands under {_listed(place.around.under)}, and its `under` says {_listed(anchor.under)}"
        above = anchor


def _listed(conditions: Sequence[str]) -> str:
    return " and ".join(f"`{one}`" for one in conditions) or "no condition"


def _around(node: ast.stmt, tree: ast.Module) -> str:
    scopes = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and one is not node
        and any(child is node for child in ast.walk(one))
    ]
    return ".".join(one.name for one in sorted(scopes, key=lambda one: one.lineno))


def _shares_line(node: ast.stmt, tree: ast.Module) -> bool:
    inside = {id(child) for child in ast.walk(node)}
    return any(
        other.lineno == node.end_lineno or other.end_lineno == node.lineno
        for other in statements(tree)
        if id(other) not in inside and not _holds(other, node)
    )


def _holds(outer: ast.stmt, inner: ast.stmt) -> bool:
    starts_before = outer.lineno < inner.lineno
    return (
        starts_before
        and (outer.end_lineno or 0) >= (inner.end_lineno or 0)
        and any(child is inner for child in ast.walk(outer))
    )


def _nearest(wanted: str, tree: ast.Module, lines: Sequence[str]) -> tuple[tuple[int, str], ...]:
    first = wanted.splitlines()[0]
    rated: dict[int, float] = {}
    for node in statements(tree):
        likeness = difflib.SequenceMatcher(None, first, ast.unparse(node).splitlines()[0]).ratio()
        rated[node.lineno] = max(likeness, rated.get(node.lineno, 0.0))
    best = sorted(rated, key=lambda number: (-rated[number], number))[:_SHOWN]
    return tuple((number, lines[number - 1].strip()) for number in best)
