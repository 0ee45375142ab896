"""The folder a command works in beside the mirror: lock, journal, new tree. Gone when nothing is left to do."""

from __future__ import annotations

import shlex
from pathlib import Path
from types import TracebackType
from typing import Self

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...project import Project
from ...system.children import CHILDREN
from ...system.files import Files
from ...system.lock import ProcessLock
from .journal import Journal, load


class Transaction:
    """A context: entering takes the lock, leaving removes the folder unless a journal still needs it.

    It lies on the file system of the mirror, so that trees can be swapped, and ignores itself in git.
    """

    def __init__(self, project: Project, declaration: Declaration, files: Files) -> None:
        """Name the folder; nothing is created yet."""
        self._root = project.root
        self.mirror = project.root / declaration.path
        self.folder = declaration.transaction(project)
        self._files = files
        self._lock = ProcessLock(self.folder / "lock")

    @property
    def exists(self) -> bool:
        """Return whether a command is at work or left something unfinished."""
        return self.folder.is_dir()

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.folder / "journal.json"

    @property
    def new(self) -> Path:
        """The folder of the new tree; after the swap it holds the old one."""
        return self.folder / "new"

    @property
    def aside(self) -> Path:
        """Path of the old tree while two renames replace one swap."""
        return self.folder / "old"

    @property
    def pin(self) -> Path:
        """The new lock file, until it is put in place."""
        return self.folder / "upstream.lock"

    @property
    def objects(self) -> Path:
        """The temporary bare repository."""
        return self.folder / "objects"

    @property
    def history(self) -> Path:
        """A temporary repository with all of the upstream's history, for explaining a conflict."""
        return self.folder / "history"

    def pending(self) -> Journal | None:
        """The journal of an unfinished synchronization, or None."""
        return load(self.journal)

    def __enter__(self) -> Self:
        """Create the folder and take the lock.

        Raises:
            ToolError: another command holds it, or something else lies at its place.
        """
        if self.folder.exists() and not self.folder.is_dir():
            shown = self.folder.relative_to(self._root).as_posix()
            raise ToolError(f"{shown} is not a folder, and the mirror is worked on there", shlex.join(["rm", shown]))
        self._files.make_folder(self.folder)
        self._lock.acquire()
        try:
            self._files.write(self.folder / ".gitignore", b"*\n")
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove everything that no journal needs, and give the lock back."""
        try:
            if kind is not None:
                CHILDREN.end()  # what was started for it must not write there any more
            if not self.journal.exists():
                self.clear()
                self._files.remove(self.folder)
        finally:
            self._lock.release()

    def clear(self) -> None:
        """Remove trees, objects and the new lock file; the journal goes first: nothing is redone without them."""
        self._files.remove(self.journal)
        for leftover in (self.new, self.aside, self.pin, self.objects, self.history):
            self._files.remove(leftover)
