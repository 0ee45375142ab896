"""Giving up a paused synchronization: patches as before it, edits begun for it removed, the rest untouched."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator

from ..declaration.declaration import Declaration, read_declaration
from ..errors import ToolError
from ..lockfile.pin import Pin, read_pin
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..mirror.workspace.recovery import recover
from ..mirror.workspace.transaction import Transaction
from ..project import Project
from ..series.series import read_series
from ..system.files import Files
from ..text import shell_path
from ..tool_name import TOOL
from .editing import Edit
from .undo import PatchUndo


def abort_sync(project: Project, files: Files, say: Callable[[str], None]) -> None:
    """Give the paused synchronization up; when none is paused, change no patch. The mirror was never touched."""
    declaration = read_declaration(project)
    workspace = EditWorkspace(project, declaration, files)
    with Transaction(project, declaration, files) as transaction:
        said = recover(project, declaration, files, transaction)
        if said:
            say(said)
        pin = read_pin(project)
        at = f"the mirror is at {pin.name if pin else 'no release yet'}"
        wanted = _wanted(workspace)
        if workspace.record.exists() and pin is not None and _is_done(project, declaration, pin, wanted):
            workspace.forget_sync()
            say(f"the synchronization to {wanted} had come to its end; {at}")
        elif workspace.record.exists():
            for line in (
                *PatchUndo(project, declaration, workspace, files).put_back(),
                *_close_edits(project, declaration, workspace, files),
            ):
                say(line)
            workspace.forget_sync()
            say(f"gave up the synchronization{f' to {wanted}' if wanted else ''}; {at}, as before")
        else:
            workspace.forget_sync()  # what a process left that ended while it forgot
            say(f"nothing is paused; {at}")
    for name in workspace.edits():
        folder, patch = workspace.edit(name), shlex.quote(name.removesuffix(".patch"))
        say(f"still being edited: {name} in {folder}")
        say(f"next: {TOOL} patch refresh {patch}, which takes it in; to give it up: rm -r {shell_path(bytes(folder))}")


def _wanted(workspace: EditWorkspace) -> str:
    try:
        paused = workspace.paused()
    except ToolError:
        return ""
    return paused.wanted if paused else ""


def _is_done(project: Project, declaration: Declaration, pin: Pin, wanted: str) -> bool:
    """Return whether the lock holds that release with the patches at hand: only the record of the pause is left.

    A process that ends between the two leaves it so, and so does the recovery of a synchronization that was cut off.
    """
    if wanted not in (pin.reference, pin.commit):
        return False
    pinned = [(patch.name, patch.sha256) for patch in pin.patches]
    return pinned == [(patch.name, patch.sha256) for patch in read_series(project, declaration)]


def _close_edits(project: Project, declaration: Declaration, workspace: EditWorkspace, files: Files) -> Iterator[str]:
    """Remove the edits that stand on another release than the pinned one."""
    pin = read_pin(project)
    for name in workspace.edits():
        edit = Edit(workspace.edit(name), name, files)
        if pin is None or edit.release not in ("", pin.commit):
            workspace.close(name)
            yield f"removed: the edit of {declaration.patch_folder}/{name} for that release"
