"""Giving up a paused synchronization: patches as before it, edits begun for it removed, the rest untouched."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..declaration.declaration import Declaration, read_declaration
from ..errors import ToolError
from ..lockfile.pin import read_pin
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..mirror.workspace.recovery import recover
from ..mirror.workspace.transaction import Transaction
from ..project import Project
from ..system.files import Files
from .editing import Edit
from .undo import PatchUndo


def abort_sync(project: Project, files: Files, say: Callable[[str], None]) -> None:
    """Give the paused synchronization up; when none is paused, change nothing. The mirror was never touched."""
    declaration = read_declaration(project)
    workspace = EditWorkspace(project, declaration, files)
    with Transaction(project, declaration, files) as transaction:
        said = recover(project, declaration, files, transaction)
        if said:
            say(said)
        pin = read_pin(project)
        at = f"the mirror is at {pin.name if pin else 'no release yet'}"
        if workspace.record.exists():
            wanted = _wanted(workspace)
            for line in (
                *PatchUndo(project, declaration, workspace, files).put_back(),
                *_close_edits(project, declaration, workspace, files),
            ):
                say(line)
            workspace.forget_sync()
            say(f"gave up the synchronization{wanted}; {at}, as before")
        else:
            say(f"nothing is paused; {at}")
    for name in workspace.edits():
        say(f"still being edited: {name} in {workspace.edit(name)}")


def _wanted(workspace: EditWorkspace) -> str:
    try:
        paused = workspace.paused()
    except ToolError:
        return ""
    return f" to {paused.wanted}" if paused else ""


def _close_edits(project: Project, declaration: Declaration, workspace: EditWorkspace, files: Files) -> Iterator[str]:
    """Remove the edits that stand on another release than the pinned one."""
    pin = read_pin(project)
    for name in workspace.edits():
        edit = Edit(workspace.edit(name), name, files)
        if pin is None or edit.release not in ("", pin.commit):
            workspace.close(name)
            yield f"removed: the edit of {declaration.patch_folder}/{name} for that release"
