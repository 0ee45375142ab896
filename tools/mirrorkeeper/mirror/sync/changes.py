"""Changes of a synchronization in the mirrored folder, for people: counts, and renames."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ...git.command import Git, with_index
from ...git.objects import FILE, PROGRAM, Row
from ..tree.listing import index_rows
from .worktree_state import WorktreeState

_SHOWN = 20
# Git compares contents of what is gone with what is new up to this many pairs; beyond, it only sees equal ones.
_PAIRS = 1_000 * 1_000


class Changes(NamedTuple):
    """Counts of new, removed and modified files; renamed ones, as old and new path, are none of them."""

    added: int = 0
    removed: int = 0
    changed: int = 0
    renamed: tuple[tuple[bytes, bytes], ...] = ()

    @property
    def summary(self) -> str:
        """The counts that are not zero (`2 changed, 1 renamed`); empty when nothing changes."""
        counts = {**self._asdict(), "renamed": len(self.renamed)}
        return ", ".join(f"{count} {name}" for name, count in counts.items() if count)

    def lines(self, command: str) -> Iterator[str]:
        """A line for each rename, the first twenty; `command` shows them all."""
        for before, after in self.renamed[:_SHOWN]:
            yield f"  renamed {_shown(before)} → {_shown(after)}"
        if len(self.renamed) > _SHOWN:
            yield f"  renamed {len(self.renamed) - _SHOWN} more: {command}"


def _shown(path: bytes) -> str:
    text = path.decode("utf-8", "backslashreplace")
    return text if text.isprintable() else repr(text)


def find_changes(repository: Git, folder: Path, worktree_state: WorktreeState, after: Iterable[Row]) -> Changes:
    """Compare the pinned tree that lies in the mirrored folder with the rows it is to have.

    Args:
        repository: git on a bare repository that has the objects of `after`; contents of removed files are added to it.
        folder: the mirrored folder, as it is before.
        worktree_state: the files in it.
        after: the rows to come.
    """
    old, new = {row.path: row for row in worktree_state.pinned}, {row.path: row for row in after}
    gone = {row for path, row in old.items() if path not in new}
    come = {row for path, row in new.items() if path not in old}
    changed = sum(1 for path, row in new.items() if path in old and old[path] != row)
    renamed = _renames(repository, folder, gone.intersection(worktree_state.rows), come) if gone and come else ()
    return Changes(len(come) - len(renamed), len(gone) - len(renamed), changed, renamed)


def _renames(
    repository: Git, folder: Path, gone: Collection[Row], come: Collection[Row]
) -> tuple[tuple[bytes, bytes], ...]:
    # Links are not followed, and git takes no list of names with line ends in them.
    plain = [row for row in gone if row.mode in (FILE, PROGRAM) and b"\n" not in row.path]
    if len(plain) * len(come) <= _PAIRS:
        names = b"".join(os.fsencode(folder) + b"/" + row.path + b"\n" for row in plain)
        repository.run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=names)
    trees = [_tree(repository, f"{name}-index", rows) for name, rows in (("gone", plain), ("come", come))]
    options = ("-r", "-z", "-M", "--diff-filter=R", "--name-status")
    parts = repository.run("diff-tree", *options, *trees).stdout.split(b"\0")
    return tuple(zip(parts[1::3], parts[2::3], strict=True))


def _tree(repository: Git, index: str, rows: Iterable[Row]) -> str:
    git = with_index(repository, repository.folder, repository.folder / index)
    git.run("update-index", "-z", "--index-info", stdin=index_rows(rows))
    return git.run("write-tree", "--missing-ok").text
