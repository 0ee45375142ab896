"""The guard of a mirror as `init` writes it, recognized by its text: git is not asked about every path then. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....git.guard import GUARD
from .named_attributes import sets_anything

_NEEDED = frozenset(("-text", "!eol", "!ident", "!filter", "!working-tree-encoding"))
_WHOLE = frozenset(GUARD.split())


def is_plainly_guarded(own: Mapping[str, bytes], names: Sequence[str], folder: str, personal: bytes) -> bool:
    """Return whether the last word on every mirrored path is a guard: what stands before it has no effect.

    Args:
        own: our attribute files by name, that of the clone included.
        names: where those above the mirrored folder can lie, the nearest first.
        folder: the mirrored folder from the top of the repository.
        personal: the attributes of the system and of the person.
    """
    above = [own[name] for name in names if name in own]
    of_clone = [content for name, content in own.items() if name not in names]
    if any(b"[attr]" in content for content in (*above, *of_clone, personal)) or not _is_plain(folder):
        return False
    if any(_says_something(content) for content in of_clone):
        return False
    for name in names:
        for line in reversed(own.get(name, b"").splitlines()):
            pattern, *settings = line.split() or [b""]
            given = {one.decode("latin-1") for one in settings}
            inner = folder.removeprefix(name.removesuffix(".gitattributes"))
            if pattern == f"{inner}/**".encode() and given >= _NEEDED:
                whole = given >= _WHOLE or not any(sets_anything(content) for content in (*above, personal))
                return whole and not any(sets_anything(b" " + one.encode()) for one in given)
            if _is_elsewhere(pattern, inner.encode()) or line.lstrip().startswith(b"#"):
                continue
            if _says_something(line):
                return False
    return False


def _is_elsewhere(pattern: bytes, folder: bytes) -> bool:
    """Return whether a pattern is bound to another folder, as `patches/*.patch` that `init` writes after the guard."""
    if b"/" not in pattern.rstrip(b"/"):  # it holds in every folder
        return False
    for ours, theirs in zip(pattern.removeprefix(b"/").split(b"/"), folder.split(b"/"), strict=False):
        if not _is_literal(ours):
            return False
        # Some clones compare names without case.
        if ours.decode().casefold() != theirs.decode().casefold():
            return True
    return False


def _is_plain(folder: str) -> bool:
    return bool(folder) and all(sign.isalnum() or sign in "_./-" for sign in folder)


def _is_literal(name: bytes) -> bool:
    return name.translate(None, b"_.-").isalnum() or (bool(name) and not name.strip(b"_.-"))


def _says_something(content: bytes) -> bool:
    return sets_anything(content) or sets_anything(content.replace(b"!", b" ").replace(b"-", b" "))
