"""Folders of several declarations in one project: no mirror may hold, or be, a folder of another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..errors import ToolError
from ..project import DECLARATION, Project
from .declaration import Declaration, read_declaration

_ADVICE = "give each its own folder"


class Declared(NamedTuple):
    """A declaration and its name: its path in the project."""

    name: str
    declaration: Declaration


def refuse_overlap(project: Project, declaration: Declaration) -> None:
    """Refuse to write where another declaration of the project has its mirror or its patches.

    Those known are the given one, `mirror/upstream.toml`, and the ones that either names in `others`. One of them that
    cannot be read is passed over.

    Raises:
        ToolError: folders overlap.
    """
    own = Declared(project.declaration, declaration)
    for other in _others(project, declaration):
        error = overlap(project.root, other, own)
        if error is not None:
            raise error


def overlap(root: Path, known: Declared, added: Declared) -> ToolError | None:
    """Return the error of two declarations whose folders overlap, also where the file system folds case."""
    as_held = _as_held(root, known.name)
    first, second = known.declaration, added.declaration
    if _is_within(as_held(first.path), as_held(second.path)) or _is_within(as_held(second.path), as_held(first.path)):
        return ToolError(f"{added.name} mirrors into {second.path}, and {known.name} into {first.path}", _ADVICE)
    for one, other in ((added, known), (known, added)):
        path, patches = one.declaration.path, other.declaration.patch_folder
        if _is_within(as_held(patches), as_held(path)):
            return ToolError(f"{one.name} mirrors into {path}, and {other.name} has its patches in {patches}", _ADVICE)
        if _is_within(as_held(other.name), as_held(path)):
            return ToolError(f"{one.name} mirrors into {path}, where {other.name} lies", _ADVICE)
    if as_held(first.patch_folder) == as_held(second.patch_folder) and (first.patches or second.patches):
        text = f"{added.name} has its patches in {second.patch_folder}, as {known.name} has"
        return ToolError(text, "name another folder in [patches]")
    return None


def _others(project: Project, declaration: Declaration) -> Iterator[Declared]:
    names = dict.fromkeys((DECLARATION, *declaration.others))
    if project.declaration != DECLARATION:
        with suppress(ToolError):
            names.update(dict.fromkeys(_read(project, DECLARATION).others))
    for name in names:
        if name != project.declaration:
            with suppress(ToolError):
                yield Declared(name, _read(project, name))


def _read(project: Project, name: str) -> Declaration:
    other = project.beside(name)
    other.broken = {}
    return read_declaration(other)


def _is_within(path: str, folder: str) -> bool:
    return f"{path}/".startswith(f"{folder}/")


def _as_held(root: Path, existing: str) -> Callable[[str], str]:
    """Return a function that gives names of one file the same text; `existing` is a file that is there."""
    try:
        folds = (root / existing).samefile(root / existing.swapcase())
    except OSError:
        folds = False
    return str.casefold if folds else str
