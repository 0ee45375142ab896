"""A tree's entries straight from its raw objects, so that nothing in between can tidy up hostile names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...errors import ToolError
from ...git.command import Git
from ...git.objects import TREE, MalformedObjectError, Row, is_oid, parse_tree


class RawEntry(NamedTuple):
    """An entry as its tree object has it: folder it lies in, name, mode as written, object id."""

    folder: bytes
    name: bytes
    mode: str
    oid: str

    @property
    def path(self) -> bytes:
        """Folder and name joined."""
        return self.folder + self.name

    @property
    def is_folder(self) -> bool:
        """Return whether it is a tree, as git or another program writes that mode."""
        return self.mode in ("40000", "040000")


def read_entries(git: Git, tree: str, object_format: str = "sha1") -> list[RawEntry]:
    """Return all entries below `tree`, folders included, in stored order, one level after the other.

    Raises:
        ToolError: a tree object is missing or malformed.
    """
    entries: list[RawEntry] = []
    level = [(b"", tree)]
    while level:
        found = read_level(git, level, object_format)
        entries.extend(found)
        level = [(one.path + b"/", one.oid) for one in found if one.is_folder]
    return entries


def read_level(git: Git, trees: Sequence[tuple[bytes, str]], object_format: str) -> list[RawEntry]:
    """Return the entries of trees, each given with the folder it is, but nothing below; errors as `read_entries`."""
    entries: list[RawEntry] = []
    bodies = read_objects(git, [oid for _, oid in trees])
    for (folder, oid), body in zip(trees, bodies, strict=True):
        try:
            parsed = parse_tree(body, object_format)
        except MalformedObjectError as error:
            raise ToolError(f"tree {oid} is malformed: {error}", "nothing was changed") from error
        for name, mode, entry in parsed:
            if set(mode) - set("01234567") or not mode:
                raise ToolError(f"tree {oid} has an entry of mode {mode!r}", "nothing was changed")
            entries.append(RawEntry(folder, name, mode, entry))
    return entries


def read_objects(git: Git, oids: list[str]) -> list[bytes]:
    """Return the bodies of objects, in the order asked.

    Raises:
        ToolError: one is missing.
    """
    output = git.run("cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in oids).encode()).stdout
    bodies = []
    position = 0
    for oid in oids:
        end = output.index(b"\n", position)
        header = output[position:end].split(b" ")
        if len(header) != 3:  # noqa: PLR2004 - id, kind, size
            raise ToolError(f"object {oid} is missing", "fetch the upstream whole, then run the command again")
        size = int(header[2])
        bodies.append(output[end + 1 : end + 1 + size])
        position = end + 1 + size + 1
    return bodies


def sizes_of(git: Git, oids: list[str]) -> dict[str, int]:
    """Return the size in bytes of each object that is there."""
    unique = sorted(set(oids))
    command = ("cat-file", "--batch-check=%(objectname) %(objectsize)")
    output = git.run(*command, stdin="".join(f"{oid}\n" for oid in unique).encode()).stdout
    sizes = {}
    for line in output.decode().splitlines():
        oid, _, size = line.partition(" ")
        if size.isdigit():
            sizes[oid] = int(size)
    return sizes


def read_tree_rows(git: Git, tree: str) -> list[Row] | None:
    """Return the files, links and submodules of a tree as rows; None when it is not in that repository."""
    if not is_oid(tree):
        return None
    output = git.run("ls-tree", "-r", "-z", "--full-tree", tree, check=False)
    if output.status != 0:
        return None
    rows = []
    for record in output.stdout.split(b"\0")[:-1]:
        header, _, path = record.partition(b"\t")
        mode, _, oid = header.decode().split(" ")
        rows.append(Row(path, int(mode, 8), oid))
    return rows


def index_rows(rows: Iterable[Row], prefix: bytes = b"") -> bytes:
    """The rows as `git update-index -z --index-info` reads them, each path after `prefix`; no mode means removal."""
    return b"".join(
        f"{row.mode:o} {row.oid}\t".encode() + prefix + row.path + b"\0" if row.mode else _removal(row, prefix)
        for row in rows
    )


def _removal(row: Row, prefix: bytes) -> bytes:
    return f"0 {'0' * len(row.oid)}\t".encode() + prefix + row.path + b"\0"


def leaf_rows(entries: Iterable[RawEntry]) -> list[Row]:
    """The entries that are not folders, as rows."""
    return [row for row in map(row_of, entries) if row.mode != TREE]


def row_of(entry: RawEntry) -> Row:
    """The entry as a row, its mode as a number."""
    return Row(entry.path, int(entry.mode, 8), entry.oid)
