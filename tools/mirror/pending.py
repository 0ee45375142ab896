"""Whether something unfinished lies beside the mirror; settled before anything else looks at it."""

from __future__ import annotations

from collections.abc import Callable

from ..files import DiskFiles, Files
from ..project import Project
from .declaration import read_declaration


def recover_pending(project: Project, say: Callable[[str], None], files: Files | None = None) -> None:
    """Settle an interrupted synchronisation before something else looks at the mirror; `say` gets what was done.

    Raises:
        ToolError: another command is at work on the mirror, or a person has to settle it.
    """
    declaration = read_declaration(project)
    if not declaration.room(project).is_dir():
        return
    from .recovery import recover
    from .workroom import Workroom

    disk = files or DiskFiles()
    with Workroom(project, declaration, disk) as room:
        said = recover(project, declaration, disk, room)
    if said:
        say(said)
