"""The gin calls that register a route, and engines that nothing but such calls uses. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ...golang.nodes import below, text_of
from .expressions import Expressions
from .scope import GoScope
from .tables import keyed_values

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_ANY = (*METHODS, "CONNECT", "TRACE")
_FILES = {"StaticFile": "", "StaticFileFS": "", "Static": "/*filepath", "StaticFS": "/*filepath"}
_NEW = ("gin.New", "gin.Default")
REGISTERING = frozenset((*METHODS, "Any", "Handle", "Match", *_FILES, "Group", "Use", "NoRoute", "NoMethod"))
"""Methods of a group or an engine that serve nothing by themselves."""


def registrations(
    meaning: Expressions, verb: str, arguments: list[Node], scope: GoScope
) -> Iterator[tuple[tuple[str, ...], Node, str]]:
    """Yield the methods, the path's expression and the path's suffix, of a call that registers."""
    enough = len(arguments) > 1
    if verb in METHODS and enough:
        yield (verb,), arguments[0], ""
    elif verb == "Any" and enough:
        yield _ANY, arguments[0], ""
    elif verb == "Handle" and enough:
        method = meaning.text(arguments[0], scope)
        yield ((method.upper(),) if method else ()), arguments[1], ""
    elif verb == "Match" and enough:
        yield tuple(meaning.texts(arguments[0], scope)), arguments[1], ""
    elif verb in _FILES and enough:
        yield ("GET", "HEAD"), arguments[0], _FILES[verb]


def is_unserved(declaration: Node, name: str, value: Node) -> bool:
    """Return whether a name is declared with an engine of its own, and its block only registers routes on it.

    Any other use may serve the engine: an argument, a result, a value of another name, a method such as `Run`.
    """
    if not _makes_engine(value):
        return False
    around = declaration.parent
    uses = [one for one in below(around, "identifier") if text_of(one) == name] if around is not None else []
    own = declaration.child_by_field_name("left")
    return bool(uses) and all(
        _registers(one) for one in uses if own is None or not own.start_byte <= one.start_byte < own.end_byte
    )


def _makes_engine(value: Node) -> bool:
    """Return whether an expression is a new engine, or a structure that is written out with one in it."""
    if value.type == "unary_expression" and value.named_children:
        return _makes_engine(value.named_children[-1])
    if value.type == "composite_literal":
        return any(_makes_engine(one) for _, one in keyed_values(value))
    return value.type == "call_expression" and text_of(value.child_by_field_name("function")) in _NEW


def _registers(use: Node) -> bool:
    """Return whether a name is used for a call that registers, as in `name.GET(…)` and `name.engine.GET(…)`."""
    here, field = use, ""
    while here.parent is not None and here.parent.type == "selector_expression":
        here = here.parent
        field = text_of(here.child_by_field_name("field"))
    call = here.parent
    called = call is not None and call.type == "call_expression" and call.child_by_field_name("function") == here
    return called and field in REGISTERING
