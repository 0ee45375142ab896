"""A synchronization without a person: patches that fit without a decision are made anew, anything else pauses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ..declaration.declaration import read_declaration
from ..errors import Paused, ToolError
from ..mirror.sync.sync import Synchronization
from ..mirror.sync.sync_options import SyncOptions
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..mirror.workspace.refresh_journal import RefreshJournal
from ..project import Project
from ..system.files import Files
from ..system.lock import ProcessLock
from .release.settling import settle_held
from .work import PatchWork


def sync_refreshing(
    project: Project,
    files: Files,
    say: Callable[[str], None],
    synchronization: Synchronization,
    options: SyncOptions,
) -> None:
    """Run a synchronization; when patches stop it, make them anew as far as no person is needed, and take it up.

    Edits that are open are never taken in: their author has not finished them.

    Raises:
        Paused: a patch needs a person; no patch was changed, and the synchronization is paused.
        ToolError: it could not be done; mirror and patches are as they were.
    """
    declaration = read_declaration(project)
    workspace = EditWorkspace(project, declaration, files)
    workspace.open()
    lock = ProcessLock(workspace.refreshing_lock)
    lock.acquire()
    try:
        RefreshJournal.of(project, declaration, workspace, options.wanted).save(files, workspace.refreshing)
        _run(project, files, say, synchronization, options)
    except Paused:
        workspace.forget_refresh()
        raise
    except (ToolError, OSError):
        with suppress(ToolError, OSError):  # the next command that writes does it
            settle_held(project, say, files)
        raise
    else:
        workspace.forget_refresh()
    finally:
        lock.release()


def _run(
    project: Project,
    files: Files,
    say: Callable[[str], None],
    synchronization: Synchronization,
    options: SyncOptions,
) -> None:
    try:
        synchronization.run(options)
    except Paused:
        if EditWorkspace(project, read_declaration(project), files).edits():
            raise
        for name in PatchWork(project, files, say).refresh(attended=False):
            say(f"made anew without a person: {name}; review its difference")
        synchronization.go_on()
