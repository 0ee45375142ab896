"""Archives of a data folder whose database is SQLite's.

Theory of operation: SQLite's backup interface copies the database page by page within one read transaction, so the
copy is consistent while the service writes. A restore writes nothing before all members agree with the manifest; from
the first change to the last a note says that it has not ended, so that no service begins on half of it.
"""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from extension.store.archive.container import (
    check,
    digest_of,
    require_new,
    restoring_errors,
    unpack,
    write_container,
    writing_errors,
)
from extension.store.archive.manifest import DATABASE, FILES, KEY, PRIVATE, Manifest
from extension.store.data_folder import DataFolder
from extension.store.errors import ArchiveRefused, DatabaseTrouble

_MEMBERS = (DATABASE, *FILES)


def write_archive(folder: Path, target: Path, now: int, version: str) -> Manifest:
    """Write an archive of a data folder, whether or not a service uses it; an existing file is never overwritten.

    Raises:
        ArchiveRefused: there is no database, or the target exists.
        DatabaseTrouble: the database could not be copied.
        DataFolderUnusable: a file cannot be read, or the archive cannot be written.
    """
    if not (folder / DATABASE).is_file() or not (folder / KEY).is_file():
        raise ArchiveRefused(f"{folder} is no data folder of Poolkeeper. Name it with --data-dir.")
    require_new(target)
    with (
        writing_errors(target),
        tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".poolkeeper-backup-") as work,
    ):
        copy = Path(work) / DATABASE
        revision = _copied(folder / DATABASE, copy)
        sources = {DATABASE: copy, **{name: folder / name for name in FILES if (folder / name).is_file()}}
        manifest = Manifest(revision, now, version, {name: digest_of(path) for name, path in sources.items()})
        write_container(target, manifest, sources)
    return manifest


def restore_folder(source: Path, path: Path, *, replace: bool, now: int) -> Manifest:
    """Put an archive into a data folder that may not exist yet; a refused archive leaves no trace.

    Raises:
        StoreError: see `restore_archive`, or the data folder cannot be used.
    """
    _require_database_file(check(source))
    _require_free(path, replace=replace)
    absent = not path.exists()
    try:
        with DataFolder.open(path, restoring=True) as folder:
            return restore_archive(source, folder, replace=replace, now=now)
    except ArchiveRefused:
        if absent:
            DataFolder.remove_unused(path)
        raise


def restore_archive(source: Path, folder: DataFolder, *, replace: bool, now: int) -> Manifest:
    """Put the contents of an archive into a data folder that no service uses.

    With `replace`, a database that is there is kept beside its place; without, it is refused.

    Raises:
        ArchiveRefused: the file is no archive, damaged, or of a newer version, or a database is there.
        DataFolderUnusable: a file cannot be read or written.
    """
    _require_free(folder.path, replace=replace)
    with restoring_errors(source), tempfile.TemporaryDirectory(dir=folder.path, prefix=".restore-") as work:
        manifest = unpack(source, Path(work))
        _require_database_file(manifest)
        _check_database(Path(work) / DATABASE, manifest)
        with folder.changing():
            _set_aside(folder, now)
            for name in _MEMBERS:
                if name in manifest.members:
                    (Path(work) / name).chmod(PRIVATE)
                    folder.take(Path(work) / name)
    return manifest


def _require_free(path: Path, *, replace: bool) -> None:
    database = path / DATABASE
    if database.exists() and database.stat().st_size and not replace:
        raise ArchiveRefused(f"{path} holds a database already. Repeat with --replace; it will be kept beside.")


def _require_database_file(manifest: Manifest) -> None:
    if DATABASE not in manifest.members:
        raise ArchiveRefused(
            "The backup is of a PostgreSQL database. Restore it into one, which POOLKEEPER_DATABASE_URL names."
        )


def _copied(database: Path, copy: Path) -> str:
    try:
        # Read-only, so that nothing of a running service's files is created or changed here.
        address = f"{database.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            # A copy in WAL mode would need its side files to be read.
            target.execute("PRAGMA journal_mode=DELETE").close()
            row = target.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise DatabaseTrouble(f"The database could not be copied ({error}). Check the data folder.") from error
    return str(row[0]) if row else ""


def _check_database(path: Path, manifest: Manifest) -> None:
    try:
        with closing(sqlite3.connect(path)) as raw:
            (state,) = raw.execute("PRAGMA integrity_check(1)").fetchone()
            row = raw.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise ArchiveRefused(f"The database of the backup cannot be read ({error}). Use another backup.") from error
    if state != "ok" or row is None or str(row[0]) != manifest.revision:
        raise ArchiveRefused("The database of the backup is damaged. Use another backup.")


def _set_aside(folder: DataFolder, now: int) -> None:
    """Rename what is there, so that a mistaken restore can be taken back; the log belongs to the database beside it."""
    for name in (*_MEMBERS, f"{DATABASE}-wal", f"{DATABASE}-shm"):
        path = folder.path / name
        if path.exists():
            path.rename(folder.path / f"{name}.before-restore-{now}")
