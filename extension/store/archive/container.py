"""File of a backup: a tar of the database, the key that makes it readable, and the files beside them."""

import re
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from extension.store.errors import ArchiveRefused, DataFolderUnusable

DATABASE: Final = "poolkeeper.db"
KEY: Final = "secret.key"
FILES: Final = (KEY,)
"""Files of the data folder beside the database."""
PRIVATE: Final = 0o600
_LITTLE: Final = 65_536
_ROWS: Final = re.compile(r"([a-z][a-z_]{0,62})\.rows")


@dataclass(frozen=True, slots=True)
class Archive:
    """Names of the members, and the time in milliseconds UTC.

    An archive of SQLite holds the database file, one of PostgreSQL the rows of each table.
    """

    members: tuple[str, ...]
    made_at: int

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables of an archive of PostgreSQL."""
        return tuple(match[1] for name in self.members if (match := _ROWS.fullmatch(name)))


def rows_member(table: str) -> str:
    """Return the name of the member that holds the rows of a table."""
    return f"{table}.rows"


def require_new(folder: Path, target: Path) -> None:
    """Make sure that there is a key to back up, and that an archive overwrites nothing, or raise `ArchiveRefused`."""
    if not (folder / KEY).is_file():
        raise ArchiveRefused(f"{folder} is no data folder of Poolkeeper. Name it with --data-dir.")
    if target.exists():
        raise ArchiveRefused(f"{target} exists already. Choose another name, or remove it first.")


def pack(target: Path, sources: Mapping[str, Path], now: int) -> Archive:
    """Write an archive beside its place and move it there."""

    def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime, member.mode = now // 1000, PRIVATE
        return member

    draft = target.with_name(f".{target.name}.new")
    try:
        draft.unlink(missing_ok=True)
        draft.touch(PRIVATE)
        with tarfile.open(draft, "w") as archive:
            for name, path in sources.items():
                archive.add(path, name, recursive=False, filter=anonymous)
        draft.replace(target)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    return Archive(tuple(sources), now // 1000 * 1000)


def contents(source: Path) -> Archive:
    """Return the members of an archive, or raise `ArchiveRefused` or `DataFolderUnusable`; nothing is written."""
    with _opened(source) as archive:
        return _checked(source, archive.getmembers())


def unpack(source: Path, work: Path) -> Archive:
    """Write the members of an archive into a folder of our own; see `contents`."""
    with _opened(source) as archive:
        members = archive.getmembers()
        checked = _checked(source, members)
        _require_room(members, work)
        for member in members:
            content = archive.extractfile(member)
            with (work / member.name).open("xb") as file:
                while chunk := content.read(_LITTLE) if content else b"":
                    file.write(chunk)
            (work / member.name).chmod(PRIVATE)
    return checked


@contextmanager
def file_errors(path: Path, problem: str) -> Iterator[None]:
    """Turn an error of the file system into `DataFolderUnusable`; `problem` follows the path in the message."""
    try:
        yield
    except OSError as error:
        raise DataFolderUnusable(f"{path} {problem}: {error.strerror or type(error).__name__}.") from error


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        with file_errors(source, "cannot be restored"), tarfile.open(source, "r:") as archive:
            yield archive
    except tarfile.TarError as error:
        raise ArchiveRefused(f"{source} is no backup of Poolkeeper, or it is damaged.") from error


def _require_room(members: list[tarfile.TarInfo], work: Path) -> None:
    """Refuse what the disk cannot take, before it is full: the sizes are claims of the archive."""
    size, free = sum(member.size for member in members), shutil.disk_usage(work).free
    if size > free:
        raise ArchiveRefused(
            f"The backup holds {size:,} bytes, and {work.parent} has room for {free:,}. Make room first."
        )


def _checked(source: Path, members: list[tarfile.TarInfo]) -> Archive:
    archive = Archive(tuple(member.name for member in members), int(members[0].mtime) * 1000 if members else 0)
    if not members:
        raise ArchiveRefused(f"{source} is no backup of Poolkeeper, or it is damaged.")
    for member in members:
        if not member.isfile() or member.issparse():
            raise ArchiveRefused(f"The backup holds {member.name!r}, which is no file as a backup writes it.")
    databases = {DATABASE} if DATABASE in archive.members else {rows_member(table) for table in archive.tables}
    is_whole = databases and KEY in archive.members and len(set(archive.members)) == len(members)
    if not is_whole or not {*archive.members} <= {*databases, *FILES}:
        raise ArchiveRefused("The backup does not hold a database and its key, or it holds foreign files.")
    return archive
