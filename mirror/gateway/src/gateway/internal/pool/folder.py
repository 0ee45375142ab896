"""auth-dir on disk. Blocking; the runtime calls it in a thread."""

import os
from collections.abc import Hashable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import structlog

from gateway.internal.configuration.files import Files, Stamp
from gateway.internal.pool.auth_files import AuthFile, synthesise_file
from gateway.internal.pool.credential import Credential

_SUFFIX = ".json"
_DEPTH = 4
_MOST_FOLDERS = 1000
_log = structlog.get_logger("gateway")
_DEFAULT = "~/.cli-proxy-api"


class AuthFolder:
    """Reads the credential files of a folder; a file that did not change is not read again.

    Args:
        files: The file system.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[Path, tuple[Stamp, Credential | None]] = {}
        self._shown: Path | None = None
        self._unreadable = False

    def scan(self, shown: Path, now: datetime) -> tuple[Credential, ...]:
        """Return the credentials of a folder and its subfolders, by file name; files that hold none are left out.

        Where the folder cannot be read, those it held last stay; of another one there are none.

        Args:
            shown: The folder as it is shown to clients; relative to the working directory.
            now: Time of the scan.
        """
        folder = self._absolute(shown)
        known: dict[Path, tuple[Stamp, Credential | None]] = {}
        for path, stamp in self._readable(folder, shown):
            entry = self._known.get(path)
            if entry is None or entry[0] != stamp or shown != self._shown:
                entry = self._read(path, shown, stamp, entry[1] if entry else None, now)
            if entry is not None:
                known[path] = entry
        self._known, self._shown = known, shown
        return tuple(credential for _, credential in known.values() if credential is not None)

    def fingerprint(self, shown: Path) -> Hashable:
        """Return what changes whenever a credential file appears, changes or goes, or the folder can be read again."""
        try:
            return tuple(self._tree(self._absolute(shown)))
        except OSError as error:
            return error.errno

    def names(self, shown: Path) -> list[str]:
        """Return the names of the ``*.json`` files directly in a folder, credential or not.

        Raises:
            OSError: It is no folder, or cannot be read.
        """
        return [path.name for path, _ in self._stamps(self._absolute(shown))]

    def _readable(self, folder: Path, shown: Path) -> list[tuple[Path, Stamp]]:
        try:
            found = self._tree(folder)
        except OSError as error:
            if not self._unreadable:
                _log.error("auth-dir cannot be read; what it held last stays in use", problem=error.strerror)
            self._unreadable = True
            return [(path, stamp) for path, (stamp, _) in self._known.items()] if shown == self._shown else []
        self._unreadable = False
        return found

    def folders(self, shown: Path) -> list[Path]:
        """Return the folder and its subfolders, as far as they are looked at; raise OSError if it cannot be read."""
        found = level = [self._absolute(shown)]
        for _ in range(_DEPTH):
            level = [inner for outer in level for inner in self._inner(outer)][:_MOST_FOLDERS]
            found = [*found, *level]
        return found[:_MOST_FOLDERS]

    def _inner(self, folder: Path) -> list[Path]:
        try:
            return self._files.subfolders(folder)
        except OSError:  # it went, or nobody may look into it
            return []

    def _tree(self, folder: Path) -> list[tuple[Path, Stamp]]:
        """Return the files of a folder and its subfolders; raise OSError if the folder itself cannot be read."""
        found = self._stamps(folder)
        for inner in self.folders(folder)[1:]:
            with suppress(OSError):
                found += self._stamps(inner)
        return sorted(found)

    def _stamps(self, folder: Path) -> list[tuple[Path, Stamp]]:
        paths = (path for path in self._files.listing(folder) if path.name.lower().endswith(_SUFFIX))
        stamped = ((path, self._stamp(path)) for path in paths)
        return [(path, stamp) for path, stamp in stamped if stamp is not None]

    def _stamp(self, path: Path) -> Stamp | None:
        try:
            return self._files.stamp(path)
        except OSError:  # a link to itself, or to where nobody may look: no credential, and the others count
            return None

    def _read(
        self, path: Path, shown: Path, stamp: Stamp, before: Credential | None, now: datetime
    ) -> tuple[Stamp, Credential | None] | None:
        try:
            content = self._files.read(path)
        except OSError:  # it went, or may not be read: either way there is no credential
            return None
        return stamp, synthesise_file(self._file(path, shown, content, stamp), before, now)

    def _file(self, path: Path, shown: Path, content: bytes, stamp: Stamp) -> AuthFile:
        inside = path.relative_to(self._absolute(shown))
        return AuthFile(path, shown / inside, inside.as_posix(), content, stamp.modified_ns)

    @staticmethod
    def _absolute(shown: Path) -> Path:
        return Path(os.path.normpath(Path.cwd() / shown))


def shown_folder(configured: str) -> Path:
    """Return auth-dir as configured; the default where nothing is configured.

    A leading ``~`` is the home of whoever runs the gateway, whatever follows it: other users' homes have no sign.
    """
    named = configured or _DEFAULT
    if named.startswith("~"):
        named = str(Path.home() / named[1:].replace("\\", "/").lstrip("/"))
    return Path(os.path.normpath(named))
