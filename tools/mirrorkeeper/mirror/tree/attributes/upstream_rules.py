"""Attribute files inside the mirror: they are nearer to its files than any of ours, so that no guard outranks them."""

from __future__ import annotations

from collections.abc import Sequence

from ....project import Project
from .named_attributes import sets_anything
from .sources import NAME, mirrored_files
from .values import AttributeFiles, asked_names, effects, values_of


def converting_files(
    project: Project, top: bytes, mirrored: Sequence[bytes], paths: Sequence[bytes]
) -> dict[bytes, str]:
    """Return for each path that the upstream's own attributes convert the attribute file that does, below the mirror.

    Args:
        project: the project.
        top: the mirrored folder with a slash, relative to the project.
        mirrored: all mirrored paths, from the mirrored folder.
        paths: those to be asked about.
    """
    if project.prefix is None:
        return {}
    inside = (project.prefix or "").encode("utf-8", "surrogateescape") + top
    files = mirrored_files(project, None, [top + path for path in _attribute_files(mirrored)])
    naming = {name for name, content in files.items() if sets_anything(content)}
    if not naming:
        return {}
    names = asked_names(files.values())
    values = values_of(AttributeFiles(files), [inside + path for path in paths], names, ignore_case=False)
    found = {}
    for path, held in zip(paths, values, strict=True):
        if any(effects(held)):
            nearest = max((name for name in naming if _is_above(name, inside + path)), key=len, default="")
            if nearest:
                found[path] = nearest.encode("utf-8", "surrogateescape").removeprefix(inside).decode("utf-8", "replace")
    return found


def may_convert(project: Project, paths: Sequence[bytes], *, personal: bool) -> bool:
    """Return whether a checkout may write other bytes of these paths by attribute files among them.

    A file that only says what is text changes nothing, but by `personal` settings of line ends.
    """
    for content in mirrored_files(project, None, _attribute_files(paths)).values():
        words = content.replace(b"eol=lf", b"")
        if any(word in words for word in (b"eol", b"crlf", b"ident", b"filter", b"working-tree-encoding")):
            return True
        if personal and sets_anything(content):
            return True
    return False


def _attribute_files(paths: Sequence[bytes]) -> list[bytes]:
    name = NAME.encode()
    return [path for path in paths if path == name or path.endswith(b"/" + name)]


def _is_above(name: str, path: bytes) -> bool:
    return path.startswith(name.removesuffix(NAME).encode("utf-8", "surrogateescape"))
