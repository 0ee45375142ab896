"""A candidate tree made in a folder, of old files where they are the same, and swapped with the mirrored one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...git.command import Git
from ...git.objects import FILE, LINK, PROGRAM, Row
from ...system.files import Files
from ..tree.listing import read_objects
from ..workspace.transaction import Transaction

_BATCH = 2_000


@dataclass(frozen=True)
class Kept:
    """The files of the old tree that may be part of the new one: the folder they lie in, mode and id by path."""

    folder: Path
    entries: Mapping[bytes, tuple[int, str]]

    @classmethod
    def of(cls, folder: Path, rows: Iterable[Row]) -> Kept:
        """Take the rows whose bytes were compared, or did not change since, and lie below `folder`; links not."""
        return cls(folder, {row.path: (row.mode, row.oid) for row in rows if row.mode in (FILE, PROGRAM)})


def write_tree(files: Files, repository: Git, rows: Iterable[Row], folder: Path, kept: Kept) -> None:
    """Make `rows` the new folder `folder`: kept files get a second name there, the rest is written, byte for byte.

    The old tree stays whole meanwhile: nothing in it is written, moved or removed.
    """
    files.make_folder(folder)
    top, old = os.fsencode(folder) + b"/", os.fsencode(kept.folder) + b"/"
    made: set[bytes] = set()
    written: list[Row] = []
    for row in rows:
        above = row.path.rpartition(b"/")[0]
        if above and above not in made:
            files.make_folder(top + above)
            made.add(above)
        same = kept.entries.get(row.path) == (row.mode, row.oid)
        if not same or not files.share(old + row.path, top + row.path):
            written.append(row)
    for start in range(0, len(written), _BATCH):
        batch = written[start : start + _BATCH]
        for row, content in zip(batch, read_objects(repository, [row.oid for row in batch]), strict=True):
            if row.mode == LINK:
                files.link(top + row.path, content)
            else:
                files.write(top + row.path, content, mode=0o755 if row.mode == PROGRAM else 0o644)


def carry(files: Files, rows: Iterable[Row], old: Path, new: Path) -> None:
    """Give files of the old folder, none of which the new one has, a second name there too: they outlive the swap."""
    source, target = os.fsencode(old) + b"/", os.fsencode(new) + b"/"
    for row in rows:
        above = row.path.rpartition(b"/")[0]
        files.make_folder(target + above if above else target)
        if files.share(source + row.path, target + row.path):
            continue
        if row.mode == LINK:
            files.link(target + row.path, os.readlink(source + row.path))  # noqa: PTH115 - the path is bytes
        else:
            with open(source + row.path, "rb") as file:  # noqa: PTH123 - as above
                files.write(target + row.path, file.read(), mode=os.fstat(file.fileno()).st_mode & 0o7777)


def switch(files: Files, transaction: Transaction) -> None:
    """Put the new tree in the mirror's place: in one step where the system can, else by two renames."""
    if not os.path.lexists(transaction.mirror):
        files.make_folder(transaction.mirror.parent)
        files.rename(transaction.new, transaction.mirror)
    elif not files.exchange(transaction.new, transaction.mirror):
        files.rename(transaction.mirror, transaction.aside)
        files.rename(transaction.new, transaction.mirror)
