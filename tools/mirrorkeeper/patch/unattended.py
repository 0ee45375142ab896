"""A synchronization without a person: patches that fit without a decision are made anew, anything else pauses."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress

from ..declaration.declaration import read_declaration
from ..errors import Paused, ToolError
from ..lockfile.pin import read_pin
from ..mirror.sync.sync import Synchronization
from ..mirror.sync.sync_options import SyncOptions
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..mirror.workspace.refresh_journal import RefreshJournal
from ..project import Project
from ..series.next_steps import ABORT, REFRESH, SYNC, next_lines
from ..system.files import Files
from ..system.lock import ProcessLock
from ..tool_name import TOOL
from .editing import Edit
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
            settle_held(project, say, files, own=True)
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
    declaration = read_declaration(project)
    workspace = EditWorkspace(project, declaration, files)
    was_paused = workspace.record.exists()
    try:
        synchronization.run(options)
    except Paused as paused:
        edits = [Edit(workspace.edit(name), name, files) for name in workspace.edits()]
        if edits:
            if not was_paused and _older(project, edits):
                workspace.forget_sync()
            raise _unfinished(project, edits, paused, options, was_paused=was_paused) from paused
        for name in PatchWork(project, files, say).refresh(attended=False):
            say(f"made anew without a person: {name}; review its difference")
        synchronization.go_on()


def _older(project: Project, edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits that were opened for the pinned release: one that comes cannot take them in."""
    pin = read_pin(project)
    return [edit for edit in edits if pin is not None and edit.release in ("", pin.commit)]


def _unfinished(
    project: Project, edits: Sequence[Edit], paused: Paused, options: SyncOptions, *, was_paused: bool
) -> Paused:
    """Return the answer that names the open edits, and the commands that finish them."""
    older = _older(project, edits)
    named = ", ".join(f"{edit.name} in {edit.folder}" for edit in edits)
    text = f"{paused.text}; an edit is open, and is never taken in: {named}"
    if not older:
        return Paused(text, paused.advice, (*next_lines((REFRESH, f"{SYNC} --continue", ABORT)), *paused.details))
    if was_paused:
        again = [f"{TOOL} patch edit {shlex.quote(edit.name.removesuffix('.patch'))} --again" for edit in older]
        advice = "save what you need from these folders: `--again` opens them anew, for the release that comes"
        return Paused(text, advice, next_lines((*again, REFRESH, f"{SYNC} --continue", ABORT)))
    again = [f"{SYNC} {shlex.quote(options.wanted)} --refresh" if options.wanted else f"{SYNC} --refresh"]
    return Paused(text, "nothing is paused: finish the edit first", next_lines((REFRESH, *again)))
