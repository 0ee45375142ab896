"""Writing and restoring of archives, whichever database an installation has."""

from pathlib import Path

from adapter.privacy.secret import Secret
from extension.store.archive import file_archive
from extension.store.archive.manifest import Manifest
from extension.store.database.opening import server_storage


def back_up(folder: Path, address: Secret | None, target: Path, *, now: int, version: str) -> Manifest:
    """Write an archive of the database at an address, or of the data folder's own, with the keys of the folder.

    Raises:
        StoreError: the archive cannot be written as asked.
    """
    if address is None:
        return file_archive.write_archive(folder, target, now, version)
    storage = server_storage(address)
    from extension.store.archive.server_archive import write_server_archive

    return write_server_archive(storage, folder, target, now, version)


def restore(source: Path, folder: Path, address: Secret | None, *, replace: bool, now: int) -> Manifest:
    """Put an archive into the database at an address, or into the data folder's own, and its keys into the folder.

    Raises:
        StoreError: the archive cannot be restored as asked.
    """
    if address is None:
        return file_archive.restore_folder(source, folder, replace=replace, now=now)
    storage = server_storage(address)
    from extension.store.archive.server_archive import restore_server_archive

    return restore_server_archive(source, storage, folder, replace=replace, now=now)
