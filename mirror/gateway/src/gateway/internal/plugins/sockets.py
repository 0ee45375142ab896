"""The folder of the sockets: private, one for each gateway process, and removed after one that was killed."""

import os
import shutil
import stat
import tempfile
from pathlib import Path


class SocketFolder:
    """Folder ``<temporary folder>/poolkeeper-gateway-<user>/<process>``; made by ``open``, removed by ``close``."""

    def __init__(self, base: Path | None = None) -> None:
        self._base = base or Path(tempfile.gettempdir()) / f"poolkeeper-gateway-{os.getuid()}"
        self.path = self._base / str(os.getpid())

    def open(self) -> None:
        """Make the folder, and remove those of processes that are gone; may raise OSError."""
        self._base.mkdir(mode=0o700, exist_ok=True)
        found = self._base.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise PermissionError(f"{self._base} belongs to somebody else")
        self._base.chmod(0o700)
        for each in self._base.iterdir():
            if each.name.isdigit() and not _alive(int(each.name)):
                shutil.rmtree(each, ignore_errors=True)
        self.path.mkdir(mode=0o700, exist_ok=True)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
