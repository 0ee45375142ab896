"""Rules for every upstream tree, checked before a byte of it is written. Pure.

Git refuses some of this when it checks a tree out, and accepts the rest: entries with a slash in their name, links
that leave the tree, names that collide where case does not count, names that are devices on another system.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from ...declaration.declaration import Declaration
from ...declaration.policy import Accepted, Limits
from ...git.objects import FILE, LINK, PROGRAM, SUBMODULE
from ...git.reserved_names import foreign_meaning, is_git_folder
from .links import escape
from .listing import RawEntry

_MODES = {f"{FILE:o}", f"{PROGRAM:o}", f"{LINK:o}", f"{SUBMODULE:o}", "40000"}


def problems(
    entries: Sequence[RawEntry],
    link_targets: Mapping[bytes, bytes],
    sizes: Mapping[str, int],
    declaration: Declaration,
) -> list[str]:
    """Return one line for everything hostile or not mirrorable, in the order found; none for a tree that is fine.

    Args:
        entries: all entries of the tree, folders included.
        link_targets: for the path of each link, its text.
        sizes: for each blob id, its bytes.
        declaration: its limits and accepted paths, and its excluded ones: those only have to have sane names.
    """
    found: list[str] = []
    for entry in entries:
        found.extend(_name_problems(entry))
    found.extend(_duplicates(entries))
    kept = [
        entry for entry in entries if not declaration.excludes(entry.path, folder=entry.mode.lstrip("0") == "40000")
    ]
    for entry in kept:
        if entry.mode not in _MODES:
            found.append(f"{_shown(entry.path)}: mode {entry.mode} is not one git writes")
        elif int(entry.mode, 8) == SUBMODULE:
            found.append(f"{_shown(entry.path)}: a submodule cannot be mirrored as files; exclude it by name")
    plain = [entry for entry in kept if not declaration.accepted.name(entry.path)]
    found.extend(_foreign_meanings(plain))
    found.extend(_collisions(plain))
    found.extend(_link_problems(kept, link_targets, declaration.accepted))
    found.extend(_size_problems(kept, sizes, declaration.limits))
    return found


def _shown(path: bytes) -> str:
    return repr(path.decode("utf-8", "backslashreplace"))


def _name_problems(entry: RawEntry) -> Iterator[str]:
    name = entry.name
    if name in (b"", b".", b".."):
        yield f"{_shown(entry.path)}: an entry is named {_shown(name)}"
    parts = name.split(b"\\")
    if b"/" in name or (len(parts) > 1 and b".." in parts):
        yield f"{_shown(entry.path)}: a path within a name"
    if any(is_git_folder(part) for part in parts):
        yield f"{_shown(entry.path)}: a spelling of .git"


def _foreign_meanings(entries: Sequence[RawEntry]) -> Iterator[str]:
    for entry in entries:
        meaning = foreign_meaning(entry.name)
        if meaning:
            yield f"{_shown(entry.path)}: {meaning}"


def _duplicates(entries: Sequence[RawEntry]) -> Iterator[str]:
    seen: set[bytes] = set()
    for entry in entries:
        if entry.path in seen:
            yield f"{_shown(entry.path)}: the same name twice in one folder"
        seen.add(entry.path)


def _collisions(entries: Sequence[RawEntry]) -> Iterator[str]:
    seen: dict[str, bytes] = {}
    for entry in entries:
        text = unicodedata.normalize("NFC", entry.path.decode("utf-8", "surrogateescape")).casefold()
        other = seen.setdefault(text, entry.path)
        if other != entry.path:
            yield f"{_shown(entry.path)}: cannot stand beside {_shown(other)} where case or accents do not count"


def _link_problems(entries: Sequence[RawEntry], targets: Mapping[bytes, bytes], accepted: Accepted) -> Iterator[str]:
    links = {entry.path: targets.get(entry.path, b"") for entry in entries if entry.mode == f"{LINK:o}"}
    for path, target in links.items():
        reason = "" if accepted.link(path) else escape(path, links)
        if reason:
            yield f"{_shown(path)}: the link to {_shown(target)} {reason}"


def _size_problems(entries: Sequence[RawEntry], sizes: Mapping[str, int], limits: Limits) -> Iterator[str]:
    total = 0
    for entry in entries:
        size = sizes.get(entry.oid, 0)
        total += size
        if size > limits.file_bytes:
            yield f"{_shown(entry.path)}: {size} bytes, at most {limits.file_bytes} are allowed"
    if total > limits.total_bytes:
        yield f"all files: {total} bytes, at most {limits.total_bytes} are allowed"
    if len(entries) > limits.files:
        yield f"{len(entries)} entries, at most {limits.files} are allowed"
