"""A disk that stops at the k-th operation, as a machine does that loses power."""

from __future__ import annotations

from pathlib import Path

from tools.mirrorkeeper.system.files import DiskFiles


class PowerLostError(BaseException):
    """Not an Exception: nothing that cleans up after errors may catch it."""


class FailingFiles:
    """The disk, until `at` operations were asked for; from then on nothing is done any more.

    With `exchange_works=False` it is a file system that cannot swap two folders.
    """

    def __init__(self, at: int, *, exchange_works: bool = True, error: BaseException | None = None) -> None:
        self._disk = DiskFiles()
        self._at = at
        self._exchange_works = exchange_works
        self._error = error
        self.count = 0

    def _step(self) -> None:
        self.count += 1
        if self._error is not None:
            if self.count == self._at:
                raise self._error
        elif self.count >= self._at:
            raise PowerLostError

    def make_folder(self, path: Path | bytes) -> None:
        self._step()
        self._disk.make_folder(path)

    def write(self, path: Path | bytes, content: bytes, *, mode: int = 0o644) -> None:
        self._step()
        self._disk.write(path, content, mode=mode)

    def link(self, path: Path | bytes, target: bytes) -> None:
        self._step()
        self._disk.link(path, target)

    def share(self, source: bytes, target: bytes) -> bool:
        self._step()
        return self._disk.share(source, target)

    def rename(self, source: Path, target: Path) -> None:
        self._step()
        self._disk.rename(source, target)

    def exchange(self, one: Path, other: Path) -> bool:
        self._step()
        return self._exchange_works and self._disk.exchange(one, other)

    def flush(self, folder: Path) -> None:
        self._step()
        self._disk.flush(folder)

    def remove(self, path: Path) -> None:
        self._step()
        self._disk.remove(path)
