"""Unfinished work beside the mirror, settled before anything else looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...declaration.declaration import read_declaration
from ...project import Project

if TYPE_CHECKING:
    from ...system.files import Files


def recover_pending(project: Project, say: Callable[[str], None], files: Files | None = None) -> None:
    """Settle an interrupted synchronization before something else looks at the mirror; `say` gets the result.

    One that was interrupted while it made patches anew is only told: commands that write settle it.

    Raises:
        ToolError: another command is at work on the mirror, or a person has to settle it.
    """
    declaration = read_declaration(project)
    if declaration.transaction(project).is_dir():
        from ...system.files import DiskFiles
        from .recovery import recover
        from .transaction import Transaction

        disk = files or DiskFiles()
        with Transaction(project, declaration, disk) as transaction:
            said = recover(project, declaration, disk, transaction)
        if said:
            say(said)
    if declaration.refresh_journal(project).exists():
        from .refresh_journal import interrupted_line

        line = interrupted_line(project, declaration)
        if line:
            say(line)
