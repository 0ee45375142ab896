"""A paused synchronisation given up: patches as they were before it, what was begun for it gone, the rest untouched."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..errors import ToolError
from ..files import Files
from ..patch.editing import Edit
from ..patch.undo import PatchUndo
from ..project import Project
from .declaration import Declaration, read_declaration
from .desk import Desk
from .pin import read_pin
from .recovery import recover
from .workroom import Workroom


def abort(project: Project, files: Files, say: Callable[[str], None]) -> None:
    """Give the paused synchronisation up; when none is paused, change nothing. The mirror was never touched."""
    declaration = read_declaration(project)
    desk = Desk(project, declaration, files)
    with Workroom(project, declaration, files) as room:
        said = recover(project, declaration, files, room)
        if said:
            say(said)
        pin = read_pin(project)
        at = f"the mirror is at {pin.name if pin else 'no release yet'}"
        if desk.record.exists():
            wanted = _wanted(desk)
            for line in (
                *PatchUndo(project, declaration, desk, files).put_back(),
                *_close_edits(project, declaration, desk, files),
            ):
                say(line)
            desk.forget_sync()
            say(f"gave up the synchronisation{wanted}; {at}, as before")
        else:
            say(f"nothing is paused; {at}")
    for name in desk.edits():
        say(f"still being edited: {name} in {desk.edit(name)}")


def _wanted(desk: Desk) -> str:
    try:
        paused = desk.paused()
    except ToolError:
        return ""
    return f" to {paused.wanted}" if paused else ""


def _close_edits(project: Project, declaration: Declaration, desk: Desk, files: Files) -> Iterator[str]:
    """Remove the edits that stand on another release than the pinned one."""
    pin = read_pin(project)
    for name in desk.edits():
        edit = Edit(desk.edit(name), name, files)
        if pin is None or edit.release not in ("", pin.commit):
            desk.close(name)
            yield f"removed: the edit of {declaration.patch_folder}/{name} for that release"
