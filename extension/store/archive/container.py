"""Container of an archive: a tar file whose members are checked against the manifest before anything is changed."""

import hashlib
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from extension.store.archive.manifest import PRIVATE, Manifest, read_manifest
from extension.store.errors import ArchiveRefused, DataFolderUnusable

_LITTLE: Final = 65_536


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def require_new(target: Path) -> None:
    """Make sure that an archive overwrites nothing.

    Raises:
        ArchiveRefused: the target exists.
    """
    if target.exists():
        raise ArchiveRefused(f"{target} exists already. Choose another name, or remove it first.")


def write_container(target: Path, manifest: Manifest, sources: Mapping[str, Path]) -> None:
    """Write an archive beside its place and move it there."""
    draft = target.with_name(f".{target.name}.new")
    try:
        draft.unlink(missing_ok=True)
        draft.touch(PRIVATE)
        with tarfile.open(draft, "w") as archive:
            archive.addfile(*manifest.as_member())
            for name, path in sources.items():
                archive.add(path, name, recursive=False, filter=_anonymous)
        draft.replace(target)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def check(source: Path) -> Manifest:
    """Read a whole archive and compare every member with the manifest; nothing is written.

    Raises:
        ArchiveRefused: it is none, damaged, or of a newer version.
        DataFolderUnusable: it cannot be read.
    """
    found: dict[str, str] = {}
    with _opened(source) as archive:
        manifest = read_manifest(archive)
        for name, content in _contents(source, archive, manifest):
            digest = hashlib.sha256()
            while chunk := content.read(_LITTLE):
                digest.update(chunk)
            found[name] = digest.hexdigest()
    for name, wanted in manifest.members.items():
        if found.get(name) != wanted:
            raise ArchiveRefused(f"{source} is damaged: {name} is not as it was written. Use another backup.")
    return manifest


def unpack(source: Path, work: Path) -> Manifest:
    """Write the members of an archive into a folder of our own, and compare them with the manifest; see `check`."""
    with _opened(source) as archive:
        manifest = read_manifest(archive)
        for name, content in _contents(source, archive, manifest):
            with (work / name).open("xb") as file:
                while chunk := content.read(_LITTLE):
                    file.write(chunk)
    for name, wanted in manifest.members.items():
        path = work / name
        if not path.is_file() or digest_of(path) != wanted:
            raise ArchiveRefused(f"{source} is damaged: {name} is not as it was written. Use another backup.")
    return manifest


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def writing_errors(target: Path) -> Iterator[None]:
    """Translate errors of the file system while an archive is written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataFolderUnusable(f"{target} cannot be written: {reason}. Choose another place.") from error


@contextmanager
def restoring_errors(source: Path) -> Iterator[None]:
    """Translate errors of the file system while an archive is restored."""
    try:
        yield
    except OSError as error:
        raise DataFolderUnusable(f"{source} cannot be restored: {error.strerror or type(error).__name__}.") from error


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        with restoring_errors(source), tarfile.open(source, "r:") as archive:
            yield archive
    except tarfile.TarError as error:
        raise ArchiveRefused(f"{source} is no backup of Poolkeeper, or it is damaged.") from error


def _contents(source: Path, archive: tarfile.TarFile, manifest: Manifest) -> Iterator[tuple[str, _Readable]]:
    seen: set[str] = set()
    while (member := archive.next()) is not None:
        content = archive.extractfile(member) if member.isfile() else None
        if content is None:
            raise ArchiveRefused(f"The backup holds {member.name!r}, which is no file.")
        if member.name not in manifest.members or member.name in seen:
            raise ArchiveRefused(f"{source} holds {member.name!r}, which its manifest does not name once.")
        seen.add(member.name)
        yield member.name, content


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = PRIVATE
    return member
