"""auth-dir on disk. Blocking; the runtime calls it in a thread."""

import os
from datetime import datetime
from pathlib import Path

from gateway.internal.configuration.files import Files, Stamp
from gateway.internal.pool.auth_files import AuthFile, synthesise_file
from gateway.internal.pool.credential import Credential

_SUFFIX = ".json"
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

    def scan(self, shown: Path, now: datetime) -> tuple[Credential, ...]:
        """Return the credentials of a folder, by file name; files that hold none are left out.

        Args:
            shown: The folder as it is shown to clients; relative to the working directory.
            now: Time of the scan.
        """
        folder = self._absolute(shown)
        known: dict[Path, tuple[Stamp, Credential | None]] = {}
        for path, stamp in self._stamps(folder):
            entry = self._known.get(path)
            if entry is None or entry[0] != stamp or shown != self._shown:
                entry = self._read(path, shown, stamp, entry[1] if entry else None, now)
            if entry is not None:
                known[path] = entry
        self._known, self._shown = known, shown
        return tuple(credential for _, credential in known.values() if credential is not None)

    def fingerprint(self, shown: Path) -> tuple[tuple[Path, Stamp], ...]:
        """Return what changes whenever a credential file appears, changes or goes."""
        return tuple(self._stamps(self._absolute(shown)))

    def _stamps(self, folder: Path) -> list[tuple[Path, Stamp]]:
        paths = (path for path in self._files.listing(folder) if path.name.lower().endswith(_SUFFIX))
        stamped = ((path, self._files.stamp(path)) for path in paths)
        return [(path, stamp) for path, stamp in stamped if stamp is not None]

    def _read(
        self, path: Path, shown: Path, stamp: Stamp, before: Credential | None, now: datetime
    ) -> tuple[Stamp, Credential | None] | None:
        try:
            content = self._files.read(path)
        except OSError:  # it went, or may not be read: either way there is no credential
            return None
        return stamp, synthesise_file(AuthFile(path, shown / path.name, content, stamp.modified_ns), before, now)

    @staticmethod
    def _absolute(shown: Path) -> Path:
        return Path(os.path.normpath(Path.cwd() / shown))


def shown_folder(configured: str) -> Path:
    """Return auth-dir as configured, with a leading ``~`` expanded; the default where nothing is configured."""
    return Path(os.path.normpath(Path(configured or _DEFAULT).expanduser()))
