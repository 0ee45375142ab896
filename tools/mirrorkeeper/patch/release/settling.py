"""A synchronization that ended while it made patches anew, settled by the next command that writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ...declaration.declaration import Declaration, read_declaration
from ...lockfile.pin import read_pin
from ...mirror.workspace.edit_workspace import EditWorkspace
from ...mirror.workspace.recovery import recover
from ...mirror.workspace.refresh_journal import RefreshJournal, decoded, encoded, load_refresh, lock_hash
from ...mirror.workspace.transaction import Transaction
from ...project import Project
from ...system.files import DiskFiles, Files, replace_file
from ...system.lock import ProcessLock
from ..undo import PatchUndo


def settle_refresh(project: Project, say: Callable[[str], None], files: Files | None = None) -> None:
    """Finish or undo a synchronization whose process ended while it made patches anew; `say` gets the result.

    Raises:
        ToolError: it is still at work, or a person has to settle it.
    """
    declaration, disk = read_declaration(project), files or DiskFiles()
    workspace = EditWorkspace(project, declaration, disk)
    if not workspace.refreshing.exists() and not workspace.refreshing_lock.exists():
        return
    lock = ProcessLock(workspace.refreshing_lock)
    lock.acquire()
    try:
        settle_held(project, say, disk)
    finally:
        lock.release()


def settle_held(project: Project, say: Callable[[str], None], files: Files, *, own: bool = False) -> None:
    """Finish or undo it for the holder of its lock; one of this very command (`own`) was refused, not interrupted.

    Raises:
        ToolError: a person has to settle it.
    """
    declaration = read_declaration(project)
    workspace = EditWorkspace(project, declaration, files)
    with Transaction(project, declaration, files) as transaction:
        said = recover(
            project, declaration, files, transaction
        )  # the mirror first: its lock file tells how far it came
        if said:
            say(said)
        journal = load_refresh(workspace)
        if journal is not None:  # else its process ended before it did anything, or at its end
            for line in _settled(project, declaration, workspace, files, journal, own=own):
                say(line)
        workspace.forget_refresh()


def _settled(
    project: Project,
    declaration: Declaration,
    workspace: EditWorkspace,
    files: Files,
    journal: RefreshJournal,
    *,
    own: bool,
) -> Iterator[str]:
    where = f" to {journal.wanted}" if journal.wanted else ""
    what = f"the synchronization{where}" if own else f"an interrupted synchronization{where}"
    if lock_hash(project) == journal.lock:
        written = _written(project, declaration, journal)
        yield from _put_back(project, declaration, workspace, files, journal)
        if written or not own:
            yield f"{what} was undone: mirror and patches are as they were before"
    elif _is_at(project, journal.wanted):
        workspace.forget_sync()
        yield f"{what} was finished, its patches made anew"
    else:  # the lock file was changed by hand since, so that neither state can be told
        yield f"{project.lock} was changed since a synchronization{where} was interrupted: patches are left as they are"


def _written(project: Project, declaration: Declaration, journal: RefreshJournal) -> bool:
    """Return whether a patch is another one than before."""
    folder = project.root / declaration.patch_folder
    return any(encoded(folder / name) != before for name, before in journal.patches.items())


def _is_at(project: Project, wanted: str | None) -> bool:
    pin = read_pin(project)
    return pin is not None and wanted in (None, pin.reference, pin.commit)


def _put_back(
    project: Project, declaration: Declaration, workspace: EditWorkspace, files: Files, journal: RefreshJournal
) -> Iterator[str]:
    """Put patches and records back; a patch changed since is left as it is."""
    undo = PatchUndo(project, declaration, workspace, files)
    for name, before in journal.patches.items():
        yield from undo.put_back_to(name, decoded(before))
        files.remove(project.root / declaration.patch_folder / f".{name}.new")
    _restore(files, workspace.changes, decoded(journal.changes))
    _restore(files, workspace.record, decoded(journal.paused))


def _restore(files: Files, path: Path, content: bytes | None) -> None:
    if content is None:
        files.remove(path)
    elif not path.is_file() or path.read_bytes() != content:
        replace_file(files, path, content)
