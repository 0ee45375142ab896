"""What no upstream tree may hold, checked before a byte of it is written. Pure.

Git refuses some of this when it checks a tree out, and accepts the rest: entries with a slash in their name, links
that leave the tree, names that collide where case does not count.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..objects import FILE, LINK, PROGRAM, SUBMODULE
from .declaration import Limits
from .listing import RawEntry

_MODES = {f"{FILE:o}", f"{PROGRAM:o}", f"{LINK:o}", f"{SUBMODULE:o}", "40000"}
_IGNORED_BY_HFS = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF], None)
_LINKS_FOLLOWED = 40


def problems(
    entries: Sequence[RawEntry],
    link_targets: Mapping[bytes, bytes],
    sizes: Mapping[str, int],
    limits: Limits,
    excluded: Callable[[bytes], bool],
) -> list[str]:
    """Return one line for everything hostile or not mirrorable, in the order found; none for a tree that is fine.

    Args:
        entries: all entries of the tree, folders included.
        link_targets: for the path of each link, its text.
        sizes: for each blob id, its bytes.
        limits: what is too much.
        excluded: whether a path is declared as not mirrored; such entries only have to have sane names.
    """
    found: list[str] = []
    for entry in entries:
        found.extend(_name_problems(entry))
    found.extend(_duplicates(entries))
    kept = [entry for entry in entries if not excluded(entry.path)]
    for entry in kept:
        if entry.mode not in _MODES:
            found.append(f"{_shown(entry.path)}: mode {entry.mode} is not one git writes")
        elif int(entry.mode, 8) == SUBMODULE:
            found.append(f"{_shown(entry.path)}: a submodule cannot be mirrored as files; exclude it by name")
    found.extend(_collisions(kept))
    found.extend(_link_problems(kept, link_targets))
    found.extend(_size_problems(kept, sizes, limits))
    return found


def _shown(path: bytes) -> str:
    return repr(path.decode("utf-8", "backslashreplace"))


def _name_problems(entry: RawEntry) -> Iterator[str]:
    name = entry.name
    if name in (b"", b".", b".."):
        yield f"{_shown(entry.path)}: an entry is named {_shown(name)}"
    if b"/" in name or b"\\" in name:
        yield f"{_shown(entry.path)}: a slash or backslash within a name"
    if is_git_folder(name):
        yield f"{_shown(entry.path)}: a spelling of .git"


def is_git_folder(name: bytes) -> bool:
    """Whether some file system takes this name for `.git`."""
    text = name.decode("utf-8", "replace").translate(_IGNORED_BY_HFS).casefold()
    plain = text.partition(":")[0].rstrip(" .")
    return plain in (".git", "git~1")


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


def _link_problems(entries: Sequence[RawEntry], targets: Mapping[bytes, bytes]) -> Iterator[str]:
    links = {entry.path: targets.get(entry.path, b"") for entry in entries if entry.mode == f"{LINK:o}"}
    for path, target in links.items():
        reason = _escape(path, links)
        if reason:
            yield f"{_shown(path)}: the link to {_shown(target)} {reason}"


def _escape(path: bytes, links: Mapping[bytes, bytes]) -> str:
    """Follow a link as a file system would, through other links too, and say how it leaves the tree, if it does."""
    at = path.split(b"/")[:-1]
    pending = _parts(links[path])
    if pending is None:
        return "is empty or absolute"
    followed = 0
    while pending:
        part = pending.pop(0)
        if part in (b"", b"."):
            continue
        if part == b"..":
            if not at:
                return "leaves the tree"
            at.pop()
            continue
        at.append(part)
        target = links.get(b"/".join(at))
        if target is None:
            continue
        followed += 1
        more = _parts(target)
        if more is None:
            return "leads to a link that is empty or absolute"
        if followed > _LINKS_FOLLOWED:
            return "goes round in circles"
        at.pop()
        pending = more + pending
    return ""


def _parts(target: bytes) -> list[bytes] | None:
    if not target or target.startswith(b"/") or b"\\" in target or b"\0" in target or target[1:2] == b":":
        return None
    return target.split(b"/")


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
