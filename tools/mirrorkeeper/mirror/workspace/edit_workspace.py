"""The folder beside the mirror where people work on it: a paused synchronization, and patches being edited.

It ignores itself in git. Nothing in it is needed to verify a mirror or to recover from a crash.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...project import Project
from ...system.files import Files, replace_file

OPENING, CLOSED = ".opening", ".closed"
"""Repositories of edits that are being made and removed: a process that ends meanwhile leaves none half there."""
_UNFINISHED = {OPENING, CLOSED}


@dataclass(frozen=True)
class PausedSync:
    """A synchronization that waits for a person.

    Attributes:
        wanted: the tag or commit id that was asked for.
        source: where it was fetched from when not from the declared place.
        patch: file name of the patch that stopped it.
        discard: whether local changes were to be overwritten.
        accept_moved_tag: whether a moved tag was accepted.
        refresh: whether patches that fit without a person are made anew.
    """

    wanted: str
    source: str | None
    patch: str
    discard: bool
    accept_moved_tag: bool
    refresh: bool = False


class EditWorkspace:
    """The folder and its contents; nothing is created before it is needed."""

    def __init__(self, project: Project, declaration: Declaration, files: Files) -> None:
        """Name the folder."""
        self.refreshing = declaration.refresh_journal(project)  # of a synchronization that makes patches anew
        self.folder = self.refreshing.parent
        self._files = files

    @property
    def record(self) -> Path:
        """The file that says which synchronization is paused."""
        return self.folder / "paused.json"

    @property
    def changes(self) -> Path:
        """File with the changes of patch commands while a synchronization is paused."""
        return self.folder / "changed.json"

    @property
    def refreshing_lock(self) -> Path:
        """The lock of the process that makes patches anew."""
        return self.folder / "refreshing.lock"

    def edit(self, patch: str) -> Path:
        """The repository a patch is edited in."""
        return self.folder / patch.removesuffix(".patch")

    def edits(self) -> tuple[str, ...]:
        """File names of the patches being edited, sorted."""
        folders = {path.parent.name for path in self.folder.glob("*/.git")} - _UNFINISHED
        return tuple(sorted(f"{name}.patch" for name in folders))

    @property
    def _closed(self) -> Path:
        """The place of an edit that is being removed."""
        return self.folder / CLOSED

    def open(self) -> None:
        """Create the folder."""
        self._files.make_folder(self.folder)
        self._files.write(self.folder / ".gitignore", b"*\n")

    def pause(self, paused: PausedSync) -> None:
        """Remember a synchronization that waits."""
        self.open()
        if not self.record.exists():  # what an earlier pause left, whose record somebody deleted, is not of this one
            self._files.remove(self.changes)
        replace_file(self._files, self.record, (json.dumps(asdict(paused), sort_keys=True) + "\n").encode())

    def paused(self) -> PausedSync | None:
        """The synchronization that waits, or None.

        Raises:
            ToolError: the record cannot be understood.
        """
        try:
            text = self.record.read_bytes()
        except FileNotFoundError:
            return None
        try:
            return PausedSync(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise ToolError(
                f"{self.record} is not a record of these tools", "`mirror sync --abort` removes it"
            ) from error

    def forget_sync(self) -> None:
        """Forget the paused synchronization and the changes made for it; patches being edited stay."""
        self._files.remove(self.changes)
        self._files.remove(self.record)
        self._sweep()

    def forget_refresh(self) -> None:
        """Forget the synchronization that made patches anew: it has come to its end, or was settled."""
        self._files.remove(self.refreshing)
        self._sweep()

    def close(self, patch: str) -> None:
        """Remove the repository a patch was edited in."""
        folder = self.edit(patch)
        if folder.exists():
            self._files.remove(self._closed)
            self._files.rename(folder, self._closed)
            self._files.remove(self._closed)
        self._sweep()

    def _sweep(self) -> None:
        """Remove the folder when nothing in it is of use: no edit, and no record of anything."""
        records = (self.record, self.changes, self.refreshing)
        empty = {".gitignore", self.refreshing_lock.name, *_UNFINISHED, *(f".{one.name}.new" for one in records)}
        if self.folder.is_dir() and {path.name for path in self.folder.iterdir()} <= empty:
            self._files.remove(self.folder)
