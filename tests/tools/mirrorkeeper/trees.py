"""Random small trees for property tests: odd names, modes, links, nothing hostile."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import strategies as st

from tools.mirrorkeeper.git.objects import FILE, LINK, PROGRAM, Row, object_id

Tree = dict[bytes, tuple[int, bytes]]

# One spelling each, so that no two names collide where case does not count; a newline, a space, a dash, not UTF-8.
_NAMES = st.sampled_from([b"a", b"b.txt", b"-c", b"d e", b"\xc3\xa4", b"n\nl", b"\xff", b"z-", b"z0", b".hidden"])
_ENTRIES = st.one_of(
    st.tuples(st.sampled_from([FILE, PROGRAM]), st.binary(max_size=12)),
    st.tuples(st.just(LINK), st.sampled_from([b"nowhere", b"./nowhere/too", b"n0"])),
)


@st.composite
def trees(draw: st.DrawFn, min_size: int = 0) -> Tree:
    """A tree as path → (mode, content), where no file stands in the way of another."""
    paths = draw(
        st.lists(st.lists(_NAMES, min_size=1, max_size=3).map(b"/".join), min_size=min_size, max_size=6, unique=True)
    )
    tree: Tree = {}
    for path in paths:
        parts = path.split(b"/")
        above = {b"/".join(parts[:count]) for count in range(1, len(parts))}
        below = any(other.startswith(path + b"/") for other in tree)
        if not below and not above & tree.keys():
            tree[path] = draw(_ENTRIES)
    return tree


def as_rows(tree: Tree) -> list[Row]:
    """The rows of a tree."""
    return [Row(path, mode, object_id("blob", content)) for path, (mode, content) in tree.items()]


def write(folder: Path, tree: Tree) -> None:
    """Write a tree below a folder."""
    for path, entry in tree.items():
        write_entry(folder, path, entry)


def write_entry(folder: Path, path: bytes, entry: tuple[int, bytes]) -> None:
    """Write one file or link, replacing what is there."""
    mode, content = entry
    target = Path(os.fsdecode(os.fsencode(folder) + b"/" + path))
    target.parent.mkdir(parents=True, exist_ok=True)
    if mode == LINK:
        target.symlink_to(os.fsdecode(content))
    else:
        target.write_bytes(content)
        target.chmod(0o755 if mode == PROGRAM else 0o644)


def place(folder: Path, path: bytes) -> Path:
    """Where a path of a tree is on disk."""
    return Path(os.fsdecode(os.fsencode(folder) + b"/" + path))
