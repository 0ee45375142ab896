"""Unfinished work beside the mirror, settled before anything else looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...declaration.declaration import Declaration, read_declaration
from ...errors import ToolError
from ...project import Project
from ...tool_name import TOOL

if TYPE_CHECKING:
    from ...system.files import Files


def recover_pending(project: Project, say: Callable[[str], None], files: Files | None = None) -> None:
    """Settle an interrupted synchronization before something else looks at the mirror; `say` gets the result.

    One that was interrupted while it made patches anew is only told: commands that write settle it.

    Raises:
        ToolError: another command is at work on the mirror, a person has to settle it, or the disk cannot be written.
    """
    declaration = read_declaration(project)
    if declaration.transaction(project).is_dir():
        from ...system.files import DiskFiles
        from .recovery import recover
        from .transaction import Transaction

        disk = files or DiskFiles()
        try:
            with Transaction(project, declaration, disk) as transaction:
                said = recover(project, declaration, disk, transaction)
        except OSError as error:
            raise _unsettled(project, declaration, error) from error
        if said:
            say(said)
    _tell_refresh(project, declaration, say)


def tell_pending(project: Project, say: Callable[[str], None]) -> None:
    """Tell of an interrupted synchronization where a command only reads; nothing is settled.

    Raises:
        ToolError: the declaration cannot be read.
    """
    declaration = read_declaration(project)
    line = _interrupted_switch(project, declaration)
    if line:
        say(line)
    _tell_refresh(project, declaration, say)


def _interrupted_switch(project: Project, declaration: Declaration) -> str:
    """Return the line that tells of a synchronization that ended while it wrote the mirror; empty when none did."""
    folder = declaration.transaction(project)
    if not (folder / "journal.json").exists():
        return ""
    from ...system.lock import ProcessLock
    from .journal import load

    try:
        journal = load(folder / "journal.json")
    except ToolError as error:
        return f"{error.text} ({error.advice})"
    if journal is None or ProcessLock(folder / "lock").is_held():
        return ""
    what = f"a synchronization to {journal.wanted} was interrupted while it wrote the mirror"
    return f"{what}: {TOOL} mirror verify settles it"


def _tell_refresh(project: Project, declaration: Declaration, say: Callable[[str], None]) -> None:
    if declaration.refresh_journal(project).exists():
        from .refresh_journal import interrupted_line

        line = interrupted_line(project, declaration)
        if line:
            say(line)


def _unsettled(project: Project, declaration: Declaration, error: OSError) -> ToolError:
    """Return the error of an interruption that the disk keeps from being settled: the mirror may be half switched."""
    from .journal import load

    folder = declaration.transaction(project)
    journal = load(folder / "journal.json")
    what = f"a synchronization to {journal.wanted} was interrupted" if journal else "a command was interrupted"
    shown = folder.relative_to(project.root).as_posix()
    return ToolError(
        f"{what}, and {shown} cannot be settled: {error.strerror or error}",
        "make the disk writable for this user, or make room on it, then run the command again",
    )
