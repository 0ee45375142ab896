"""The entries that git's index has below the mirror, with their flags: listed once, and seldom taken apart.

Theory of operation. Taking a list of 80,000 entries apart takes longer than git needs to write it. Where the working
files are right, as nearly always, the list is the one that can be written from them, and a comparison of bytes says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...declaration.declaration import Declaration
from ...git.command import Running
from ...git.objects import Row
from ...project import Project


def start_staged(project: Project, declaration: Declaration) -> Running:
    """Ask git for the entries: a flag, mode, id, stage and path of each, all stages of a merge."""
    return project.git.start("ls-files", "-s", "-v", "-z", "--", declaration.path + "/")


def staged_listing(rows: Iterable[Row], top: bytes) -> bytes:
    """Return the list of an index that holds exactly these rows in their order, none with a flag. Pure.

    Args:
        rows: the entries, their paths from the mirrored folder.
        top: the mirrored folder, with a slash at its end.
    """
    plain = (b"H %o %b 0\t%b%b\0" % (mode, oid.encode(), top, path) for path, mode, oid in rows)
    return b"".join(plain)


def parse_staged(listed: bytes, top: bytes) -> list[Row]:
    """Return the entries of a list, paths from the mirrored folder, whose name `top` is. Pure."""
    rows = []
    for record in listed.split(b"\0")[:-1]:
        header, _, path = record.partition(b"\t")
        _, mode, oid, _ = header.decode().split(" ")
        rows.append(Row(path.removeprefix(top), int(mode, 8), oid))
    return rows
