"""A file system in memory that can break at any of its calls, as a full disk or a power cut would."""

import errno
from pathlib import Path

from gateway.internal.configuration.files import LONGEST_FILE, Identity, Stamp, SystemFiles


class PowerCut(BaseException):
    """The machine stopped; nothing after this call happened."""


class Disk(SystemFiles):
    """A file system in memory.

    Attributes:
        calls: Names of the calls made.
        break_at: The call (counted from 1) that does not succeed; 0 for none.
        error: What it fails with: an OSError's number, or None for a power cut in the middle of it.
        refuse_rename: Number every rename onto an existing file fails with; 0 when renames work.
        closed: Folders in which nothing can be made or removed.
    """

    def __init__(self, contents: dict[str, bytes] | None = None) -> None:
        self.contents = {Path(name): content for name, content in (contents or {}).items()}
        self.identities = {path: Identity(0o640, 7, 8) for path in self.contents}
        self.links: dict[Path, Path] = {}
        self.calls: list[str] = []
        self.break_at = 0
        self.error: int | None = None
        self.refuse_rename = 0
        self.closed: set[Path] = set()
        self._written = 0

    def _call(self, name: str) -> bool:
        """Count a call; return whether it is cut off half way by a power cut."""
        self.calls.append(name)
        if len(self.calls) != self.break_at:
            return False
        if self.error is not None:
            raise OSError(self.error, "broken on purpose")
        return True

    def resolve(self, path: Path) -> Path:
        return self.links.get(path, path)

    def read(self, path: Path, longest: int = LONGEST_FILE) -> bytes:
        if self._call("read"):
            raise PowerCut
        if path not in self.contents:
            raise FileNotFoundError(errno.ENOENT, "no such file")
        if len(self.contents[path]) > longest:
            raise OSError(errno.EFBIG, "too large")
        return self.contents[path]

    def stamp(self, path: Path) -> Stamp | None:
        content = self.contents.get(path)
        return None if content is None else Stamp(hash(content), len(content), 1)

    def identity(self, path: Path) -> Identity | None:
        return self.identities.get(path)

    def listing(self, folder: Path) -> list[Path]:
        return sorted(path for path in self.contents if path.parent == folder)

    def subfolders(self, folder: Path) -> list[Path]:
        inner = {path.relative_to(folder).parts[0] for path in self.contents if folder in path.parents[1:]}
        return sorted(folder / name for name in inner)

    def create(self, path: Path, content: bytes, identity: Identity | None) -> None:
        if path.parent in self.closed:
            raise PermissionError(errno.EACCES, "closed on purpose")
        self.contents[path] = b""
        self.identities[path] = identity or Identity(0o600, 1, 1)
        if self._call("create"):
            self.contents[path] = content[: len(content) // 2]
            raise PowerCut
        self.contents[path] = content

    def replace(self, source: Path, target: Path) -> None:
        if self.refuse_rename and target in self.contents:
            raise OSError(self.refuse_rename, "refused on purpose")
        if self._call("replace"):
            raise PowerCut
        self.contents[target] = self.contents.pop(source)
        self.identities[target] = self.identities.pop(source)

    def overwrite(self, path: Path, content: bytes) -> None:
        self.contents[path] = b""
        if self._call("overwrite"):
            self.contents[path] = content[: len(content) // 2]
            raise PowerCut
        self.contents[path] = content

    def remove(self, path: Path) -> None:
        if path.parent in self.closed:
            raise PermissionError(errno.EACCES, "closed on purpose")
        if path not in self.contents:
            raise FileNotFoundError(errno.ENOENT, "no such file")
        if self._call("remove"):
            raise PowerCut
        del self.contents[path]
        del self.identities[path]

    def sync_folder(self, path: Path) -> None:  # noqa: ARG002 - the port has it
        if self._call("sync"):
            raise PowerCut

    def make_folder(self, path: Path) -> None:  # noqa: ARG002 - the port has it
        return
