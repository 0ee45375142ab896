"""Archives of a data folder: one file that holds the database and the keys that make it readable.

Theory of operation: SQLite's backup interface copies the database page by page within one read transaction, so the
copy is consistent while the service writes. The archive is a tar file whose first member, the manifest, names the
format, the schema revision and the SHA-256 of every other member; a restore writes nothing before all of them agree.
"""

import hashlib
import io
import json
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from extension.store.data_folder import DataFolder
from extension.store.errors import ArchiveRefused, DatabaseTrouble, DataFolderUnusable
from extension.store.schema.upgrade import known_revisions

FORMAT: Final = "poolkeeper-backup"
FORMAT_VERSION: Final = 1
DATABASE: Final = "poolkeeper.db"
KEY: Final = "secret.key"
_MANIFEST: Final = "manifest.json"
_MEMBERS: Final = (DATABASE, KEY, "webhook.url")
_MANIFEST_LIMIT: Final = 100_000
_PRIVATE: Final = 0o600
_LITTLE: Final = 65_536


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of an archive: schema revision, time in milliseconds UTC, version that wrote it, and its members."""

    revision: str
    made_at: int
    made_by: str
    members: Mapping[str, str]


def write_archive(folder: Path, target: Path, now: int, version: str) -> Manifest:
    """Write an archive of a data folder, whether or not a service uses it; an existing file is never overwritten.

    Raises:
        ArchiveRefused: there is no database, or the target exists.
        DatabaseTrouble: the database could not be copied.
        DataFolderUnusable: a file cannot be read, or the archive cannot be written.
    """
    if not (folder / DATABASE).is_file() or not (folder / KEY).is_file():
        raise ArchiveRefused(f"{folder} is no data folder of Poolkeeper. Name it with --data-dir.")
    if target.exists():
        raise ArchiveRefused(f"{target} exists already. Choose another name, or remove it first.")
    draft = target.with_name(f".{target.name}.new")
    try:
        with tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".poolkeeper-backup-") as work:
            copy = Path(work) / DATABASE
            revision = _copied(folder / DATABASE, copy)
            sources = {DATABASE: copy, **{name: folder / name for name in _MEMBERS[1:] if (folder / name).is_file()}}
            manifest = Manifest(revision, now, version, {name: _digest(path) for name, path in sources.items()})
            draft.unlink(missing_ok=True)
            draft.touch(_PRIVATE)
            with tarfile.open(draft, "w") as archive:
                archive.addfile(*_manifest_member(manifest))
                for name, path in sources.items():
                    archive.add(path, name, recursive=False, filter=_anonymous)
            draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        reason = error.strerror or type(error).__name__
        raise DataFolderUnusable(f"{target} cannot be written: {reason}. Choose another place.") from error
    return manifest


def restore_archive(source: Path, folder: DataFolder, *, replace: bool, now: int) -> Manifest:
    """Put the contents of an archive into a data folder that no service uses.

    With `replace`, a database that is there is kept beside its place; without, it is refused.

    Raises:
        ArchiveRefused: the file is no archive, damaged, or of a newer version, or a database is there.
        DataFolderUnusable: a file cannot be read or written.
    """
    if folder.database.exists() and folder.database.stat().st_size and not replace:
        raise ArchiveRefused(f"{folder.path} holds a database already. Repeat with --replace; it will be kept beside.")
    try:
        with tempfile.TemporaryDirectory(dir=folder.path, prefix=".restore-") as work:
            manifest = _unpacked(source, Path(work))
            _check_database(Path(work) / DATABASE, manifest)
            _set_aside(folder, now)
            for name in _MEMBERS:
                place = folder.path / name
                if name in manifest.members:
                    (Path(work) / name).chmod(_PRIVATE)
                    (Path(work) / name).replace(place)
                else:
                    place.unlink(missing_ok=True)
    except OSError as error:
        raise DataFolderUnusable(f"{source} cannot be restored: {error.strerror or type(error).__name__}.") from error
    return manifest


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


def _unpacked(source: Path, work: Path) -> Manifest:
    """Check an archive member by member while it is written to a folder of our own."""
    try:
        with tarfile.open(source, "r:") as archive:
            manifest = _manifest(archive)
            for name, content in _contents(archive):
                if name not in manifest.members:
                    raise ArchiveRefused(f"{source} holds {name!r}, which its manifest does not name.")
                _write(work / name, content)
    except tarfile.TarError as error:
        raise ArchiveRefused(f"{source} is no backup of Poolkeeper, or it is damaged.") from error
    for name, digest in manifest.members.items():
        path = work / name
        if not path.is_file() or _digest(path) != digest:
            raise ArchiveRefused(f"{source} is damaged: {name} is not as it was written. Use another backup.")
    return manifest


def _manifest(archive: tarfile.TarFile) -> Manifest:
    member = archive.next()
    if member is None or member.name != _MANIFEST or not member.isfile() or member.size > _MANIFEST_LIMIT:
        raise ArchiveRefused("The file is no backup of Poolkeeper.")
    content = archive.extractfile(member)
    try:
        stored: Any = json.loads(content.read() if content else b"")
        if stored["format"] != FORMAT:
            raise ArchiveRefused("The file is no backup of Poolkeeper.")
        if stored["version"] > FORMAT_VERSION:
            raise ArchiveRefused("The backup was written by a newer version of Poolkeeper. Restore it with that one.")
        members = {str(name): str(digest) for name, digest in stored["members"].items()}
        manifest = Manifest(str(stored["revision"]), int(stored["made_at"]), str(stored["made_by"]), members)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ArchiveRefused("The file is no backup of Poolkeeper, or it is damaged.") from error
    if not {DATABASE, KEY} <= manifest.members.keys() <= set(_MEMBERS):
        raise ArchiveRefused("The backup does not hold a database and its key, or it holds foreign files.")
    if manifest.revision not in known_revisions():
        raise ArchiveRefused("The backup was written by a newer version of Poolkeeper. Restore it with that one.")
    return manifest


def _contents(archive: tarfile.TarFile) -> Iterator[tuple[str, io.BufferedIOBase]]:
    while (member := archive.next()) is not None:
        content = archive.extractfile(member) if member.isfile() else None
        if content is None:
            raise ArchiveRefused(f"The backup holds {member.name!r}, which is no file.")
        yield member.name, content  # type: ignore[misc] # tarfile's own type is narrower than what it answers


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


def _manifest_member(manifest: Manifest) -> tuple[tarfile.TarInfo, io.BytesIO]:
    content = json.dumps(
        {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "revision": manifest.revision,
            "made_at": manifest.made_at,
            "made_by": manifest.made_by,
            "members": dict(manifest.members),
        },
        indent=1,
    ).encode()
    member = tarfile.TarInfo(_MANIFEST)
    member.size, member.mode = len(content), _PRIVATE
    return member, io.BytesIO(content)


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = _PRIVATE
    return member


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, content: io.BufferedIOBase) -> None:
    with path.open("xb") as file:
        while chunk := content.read(_LITTLE):
            file.write(chunk)
