"""Functions and methods of a Go package that nothing can call, by the names in its code: no comment, no text. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tree_sitter import Node

from ...golang.endings import never_ends
from ...golang.nodes import text_of
from .packages import Package

_NAME = re.compile(r"[A-Za-z_]\w*")
_NOT_CODE = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|'(?:[^'\\\n]|\\.)+'|//[^\n]*|/\*.*?\*/", re.DOTALL)
_NOT_CALLED = re.compile(r"\b([A-Za-z_]\w*)\b(?!\s*(?:\[[\w., *\[\]]*\]\s*)?\()")


def code_of(text: str) -> str:
    """Return source text without its comments and literal texts."""
    return _NOT_CODE.sub(" ", text)


def names_in(text: str) -> list[str]:
    """Return the names in source text."""
    return _NAME.findall(code_of(text))


def uncalled(package: Package, mentioned: Collection[str]) -> frozenset[str]:
    """Return the names of functions of a package that cannot be reached from a function that others can call.

    Args:
        package: the package.
        mentioned: names of exported functions that another package mentions.
    """
    bodies: dict[str, set[str]] = {}
    for one in package.bodies:
        bodies.setdefault(one.name, set()).update(names_in(text_of(one.body)))
    values = (text_of(node) for file in package.files for node in file.constants.values())
    alive = {"main", "init", *mentioned, *(name for text in values for name in names_in(text))} & bodies.keys()
    waiting = list(alive)
    while waiting:
        reached = (bodies[waiting.pop()] & bodies.keys()) - alive
        alive |= reached
        waiting.extend(reached)
    return frozenset(bodies.keys() - alive)


def unmade(package: Package) -> frozenset[str]:
    """Return the types with methods that the package alone can use, and that only their own methods name."""
    types = {one.receiver.type for one in package.bodies if one.receiver.type[:1].islower()}
    used = set(_type_names(package)) if types else set()
    for one in package.bodies if types else ():
        used |= {*names_in(text_of(one.body)), *names_in(one.result)} - {one.receiver.type}
        used.update(name for each in one.parameters for name in names_in(each.type))
    return frozenset(types - used)


def _type_names(package: Package) -> Iterator[str]:
    """Yield the names in declarations outside of functions."""
    for file in package.files:
        texts = [*map(text_of, file.constants.values()), *file.aliases.values(), *file.variables.values()]
        texts.extend(one.type for fields in file.structures.values() for one in fields)
        yield from (name for text in texts for name in names_in(text))


def handed_over(package: Package) -> frozenset[str]:
    """Return the names that a package uses other than by a call, such as functions that are handed over."""
    return frozenset(name for one in package.bodies for name in _NOT_CALLED.findall(code_of(text_of(one.body))))


def ends_at_start(package: Package) -> bool:
    """Return whether an `init` of the package always ends the program."""
    bodies = [one.body for one in package.bodies if one.name == "init" and not one.receiver.type]
    return any(never_ends(line) for body in bodies for part in body.named_children for line in _lines(part))


def _lines(part: Node) -> list[Node]:
    return part.named_children if part.type == "statement_list" else [part]
