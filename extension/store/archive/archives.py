"""Backup and restore of an installation, whichever database it has; here that of SQLite.

Theory of operation: SQLite's backup interface copies the database page by page within one read transaction, so the
copy is consistent while the service writes. A restore writes nothing before the whole archive was read and its database
checked; from the first change to the last a note says that it has not ended, so that no service begins on half of it.
"""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from adapter.privacy.secret import Secret
from extension.store.archive import container
from extension.store.data_folder import DataFolder
from extension.store.database.opening import server_storage
from extension.store.errors import ArchiveRefused, DatabaseTrouble
from extension.store.schema.upgrade import known_revisions

_MEMBERS = (container.DATABASE, *container.FILES)


def back_up(folder: Path, address: Secret | None, target: Path, *, now: int) -> container.Archive:
    """Write an archive of the database at an address, or of the data folder's own, with the keys of the folder.

    A service may use the folder meanwhile; an existing file is never overwritten.

    Raises:
        ArchiveRefused: there is no database or no key, or the target exists.
        DatabaseTrouble: the database could not be copied.
        DataFolderUnusable: a file cannot be read, or the archive cannot be written.
    """
    if address is not None:
        storage = server_storage(address)
        from extension.store.archive.server_archive import write_server_archive

        return write_server_archive(storage, folder, target, now)
    if not (folder / container.DATABASE).is_file():
        raise ArchiveRefused(f"{folder} is no data folder of Poolkeeper. Name it with --data-dir.")
    container.require_new(folder, target)
    with (
        container.file_errors(target, "cannot be written"),
        tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".poolkeeper-backup-") as work,
    ):
        copy = Path(work) / container.DATABASE
        _copy(folder / container.DATABASE, copy)
        files = {name: folder / name for name in container.FILES if (folder / name).is_file()}
        return container.pack(target, {container.DATABASE: copy, **files}, now)


def restore(source: Path, path: Path, address: Secret | None, *, replace: bool, now: int) -> container.Archive:
    """Put an archive into the database at an address, or into the data folder's own, and its keys into the folder.

    The folder may not exist yet, and no service may use it. With `replace`, a database that is there is kept beside its
    place; without, it is refused. A refused archive changes nothing.

    Raises:
        ArchiveRefused: the file is no archive, damaged, or of a newer version, or a database is there.
        StoreError: a file cannot be read or written, or the data folder or the database cannot be used.
    """
    absent = not path.exists()
    try:
        if address is None:
            return _restored_folder(source, path, now, replace=replace)
        storage = server_storage(address)
        from extension.store.archive.server_archive import restore_server_archive

        return restore_server_archive(source, storage, path, replace=replace, now=now)
    except ArchiveRefused:
        if absent:
            DataFolder.remove_unused(path)
        raise


def _restored_folder(source: Path, path: Path, now: int, *, replace: bool) -> container.Archive:
    if container.DATABASE not in container.contents(source).members:
        raise ArchiveRefused(
            "The backup is of a PostgreSQL database. Restore it into one, which POOLKEEPER_DATABASE_URL names."
        )
    database = path / container.DATABASE
    if database.exists() and database.stat().st_size and not replace:
        raise ArchiveRefused(f"{path} holds a database already. Repeat with --replace; it will be kept beside.")
    with (
        DataFolder.open(path, restoring=True) as folder,
        container.file_errors(source, "cannot be restored"),
        tempfile.TemporaryDirectory(dir=folder.path, prefix=".restore-") as work,
    ):
        archive = container.unpack(source, Path(work))
        _check(Path(work) / container.DATABASE)
        with folder.changing():
            # What is there is kept, so that a mistaken restore can be taken back; the log belongs to the database.
            for name in (*_MEMBERS, f"{container.DATABASE}-wal", f"{container.DATABASE}-shm"):
                former = folder.path / name
                if former.exists():
                    former.rename(folder.path / f"{name}.before-restore-{now}")
            for name in archive.members:
                folder.take(Path(work) / name)
    return archive


def _copy(database: Path, copy: Path) -> None:
    try:
        # Read-only, so that nothing of a running service's files is created or changed here.
        address = f"{database.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            # A copy in WAL mode would need its side files to be read.
            target.execute("PRAGMA journal_mode=DELETE").close()
    except sqlite3.Error as error:
        raise DatabaseTrouble(f"The database could not be copied ({error}). Check the data folder.") from error


def _check(database: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as raw:
            (state,) = raw.execute("PRAGMA integrity_check(1)").fetchone()
            row = raw.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise ArchiveRefused(f"The database of the backup cannot be read ({error}). Use another backup.") from error
    if state != "ok" or row is None:
        raise ArchiveRefused("The database of the backup is damaged. Use another backup.")
    if str(row[0]) not in known_revisions():
        raise ArchiveRefused("The backup was written by another version of Poolkeeper. Restore it with that one.")
