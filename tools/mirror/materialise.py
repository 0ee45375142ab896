"""A candidate tree written to a folder, byte for byte, and swapped with the mirrored one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..files import Files
from ..git import Git
from ..objects import LINK, PROGRAM, Row
from .listing import read_objects
from .workroom import Workroom

_BATCH = 2_000


def write_tree(files: Files, repository: Git, rows: Sequence[Row], folder: Path) -> None:
    """Write `rows` below the new folder `folder`; modes are exact, no filter touches the bytes."""
    files.make_folder(folder)
    top = os.fsencode(folder) + b"/"
    made: set[bytes] = set()
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        for row, content in zip(batch, read_objects(repository, [row.oid for row in batch]), strict=True):
            above = row.path.rpartition(b"/")[0]
            if above and above not in made:
                files.make_folder(top + above)
                made.add(above)
            if row.mode == LINK:
                files.link(top + row.path, content)
            else:
                files.write(top + row.path, content, mode=0o755 if row.mode == PROGRAM else 0o644)


def switch(files: Files, room: Workroom) -> None:
    """Put the new tree in the mirror's place: in one step where the system can, else by two renames."""
    if not room.mirror.exists():
        files.make_folder(room.mirror.parent)
        files.rename(room.new, room.mirror)
    elif not files.exchange(room.new, room.mirror):
        files.rename(room.mirror, room.aside)
        files.rename(room.new, room.mirror)
