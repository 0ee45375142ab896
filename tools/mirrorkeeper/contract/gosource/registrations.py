"""The gin calls that register a route: methods, path, and a suffix for folders of files. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from .expressions import Expressions
from .scope import GoScope

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_ANY = (*METHODS, "CONNECT", "TRACE")
_FILES = {"StaticFile": "", "StaticFileFS": "", "Static": "/*filepath", "StaticFS": "/*filepath"}
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
