"""Git's object ids, computed here: the ids of a blob, a tree and a commit, without asking git. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ..system.digests import sha1_of, sha256_of

FILE = 0o100644
PROGRAM = 0o100755
LINK = 0o120000
TREE = 0o040000
SUBMODULE = 0o160000

FORMATS: Mapping[str, int] = {"sha1": 40, "sha256": 64}
_DIGESTS = {"sha1": sha1_of, "sha256": sha256_of}
_SMALL = 65_536


class Row(NamedTuple):
    """One entry of a tree: its path from the root of the tree (raw bytes), its mode and its object id (hex)."""

    path: bytes
    mode: int
    oid: str


class MalformedObjectError(ValueError):
    """Bytes that are not the git object they are said to be."""


def is_oid(text: str) -> bool:
    """Return whether `text` is a full object id, SHA-1 or SHA-256, in lower-case hexadecimal digits."""
    return len(text) in FORMATS.values() and not text.strip("0123456789abcdef")


def object_id(kind: str, body: bytes, object_format: str = "sha1") -> str:
    """The id of an object of `kind` (`blob`, `tree`, `commit`, `tag`) with that body."""
    head = b"%s %d\0" % (kind.encode(), len(body))
    if len(body) <= _SMALL:
        return _DIGESTS[object_format](head + body)
    import hashlib  # here and below, since a quick check does without it

    digest = hashlib.new(object_format, head, usedforsecurity=False)
    digest.update(body)
    return digest.hexdigest()


def blob_hasher(object_format: str, other: str) -> Callable[[bytes], tuple[str, str]]:
    """Return a function that gives the ids of a blob in two formats; an empty one gives an empty id."""
    import hashlib

    hashes = {"sha1": hashlib.sha1, "sha256": hashlib.sha256}
    hash_one, hash_other = hashes[object_format], hashes.get(other)

    def blob_ids(body: bytes) -> tuple[str, str]:
        if len(body) > _SMALL:  # too much to be copied
            return object_id("blob", body, object_format), object_id("blob", body, other) if other else ""
        whole = b"blob %d\0%b" % (len(body), body)
        found = hash_one(whole, usedforsecurity=False).hexdigest()
        return found, hash_other(whole, usedforsecurity=False).hexdigest() if hash_other else ""

    return blob_ids


def tree_id(rows: Iterable[tuple[bytes, int, str]], object_format: str = "sha1") -> str:
    """The id of the tree that holds exactly `rows` (as `Row`); one may itself be a whole subtree (mode 040000).

    Raises:
        MalformedObjectError: two rows claim one path, or one claims a folder another one is.
    """
    # The entries of each folder by name; None is the root. A folder comes after the one it lies in.
    levels: dict[bytes | None, dict[bytes, tuple[int, str]]] = {None: {}}
    for path, mode, oid in rows:
        folder, slash, name = path.rpartition(b"/")
        place = folder if slash else None
        level = levels.get(place)
        if level is None:
            level = _opened(levels, folder, path)
        if name in level:
            raise MalformedObjectError(f"two entries claim {path!r}")
        level[name] = (mode, oid)
    while True:
        place, level = levels.popitem()
        found = object_id("tree", _tree_body(level), object_format)
        if place is None:
            return found
        above, slash, name = place.rpartition(b"/")
        levels[above if slash else None][name] = (TREE, found)


def _opened(
    levels: dict[bytes | None, dict[bytes, tuple[int, str]]], folder: bytes, path: bytes
) -> dict[bytes, tuple[int, str]]:
    """Return the entries of a folder, made where it is new, with those above it."""
    place: bytes | None = None
    level = levels[None]
    for name in folder.split(b"/"):
        place = name if place is None else place + b"/" + name
        below = levels.get(place)
        if below is None:
            if name in level:
                raise MalformedObjectError(f"{path!r} lies below something that is not a folder")
            level[name] = (TREE, "")
            below = levels[place] = {}
        level = below
    return level


def _tree_body(level: Mapping[bytes, tuple[int, str]]) -> bytes:
    # Git sorts a folder as if its name ended in a slash.
    entries = [
        (name + b"/" if mode == TREE else name, b"%o %s\0" % (mode, name), oid) for name, (mode, oid) in level.items()
    ]
    entries.sort()
    return b"".join([part for _, head, oid in entries for part in (head, bytes.fromhex(oid))])


def parse_tree(body: bytes, object_format: str = "sha1") -> list[tuple[bytes, str, str]]:
    """Return the entries of a raw tree object as (name, mode as written, object id), in stored order.

    Raises:
        MalformedObjectError: the bytes end within an entry.
    """
    size = FORMATS[object_format] // 2
    entries = []
    position = 0
    while position < len(body):
        space = body.find(b" ", position)
        end = body.find(b"\0", position)
        if space < 0 or end < space or end + 1 + size > len(body):
            raise MalformedObjectError("a tree object ends within an entry")
        mode = body[position:space].decode("ascii", "backslashreplace")
        entries.append((body[space + 1 : end], mode, body[end + 1 : end + 1 + size].hex()))
        position = end + 1 + size
    return entries


def header_value(body: bytes, name: str) -> str:
    """The value of the first header `name` of a raw commit or tag object; empty when it has none."""
    for line in body.split(b"\n\n", 1)[0].split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == name.encode():
            return value.decode("utf-8", "replace")
    return ""
