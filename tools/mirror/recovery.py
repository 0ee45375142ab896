"""An interrupted synchronisation, settled by the next command: undone when the switch had not come, else finished."""

from __future__ import annotations

from ..errors import ToolError
from ..files import Files
from ..project import Project
from .declaration import Declaration
from .workroom import Workroom


def recover(project: Project, declaration: Declaration, files: Files, room: Workroom) -> str:
    """Settle what a dead synchronisation left in the room, whose lock is held; returns a line to say, or nothing.

    Where the folder of the new tree is found tells how far it came: at the mirror's place, or still in the room.

    Raises:
        ToolError: neither is the case; nothing is touched then.
    """
    journal = room.pending()
    if journal is None:
        room.clear()
        return ""
    if _is(room, journal.inode, switched=True):
        lock = _lock_bytes(project, room)
        if journal.staging:
            from .staging import stage

            stage(project, declaration, journal.final_tree, lock)
        if room.pin.exists():
            files.rename(room.pin, project.lock_path)
        room.clear()
        if journal.staging:
            from .staging import refresh_index

            refresh_index(project)
        return f"an interrupted synchronisation to {journal.wanted} was finished"
    if not _is(room, journal.inode, switched=False):
        raise ToolError(
            f"a synchronisation to {journal.wanted} was interrupted, and neither tree is where it was left",
            f"restore {room.mirror} from version control, then delete {room.folder}",
        )
    if not room.mirror.exists() and room.aside.exists():
        files.rename(room.aside, room.mirror)
    room.clear()
    return f"an interrupted synchronisation to {journal.wanted} was undone: the mirror is as it was before"


def _is(room: Workroom, inode: int, *, switched: bool) -> bool:
    folder = room.mirror if switched else room.new
    try:
        return folder.stat().st_ino == inode
    except FileNotFoundError:
        return False


def _lock_bytes(project: Project, room: Workroom) -> bytes:
    path = room.pin if room.pin.exists() else project.lock_path
    return path.read_bytes()
