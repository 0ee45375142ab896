"""The command that leads on after patches were written, dropped or reordered."""

from __future__ import annotations

from ..declaration.declaration import read_declaration
from ..errors import ToolError
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..project import Project
from ..series.next_steps import REFRESH, SYNC, settling
from ..series.series import read_series
from ..system.files import Files
from .editing import Edit
from .refreshing import stopping_patches
from .release.base_release import fetch_base_release


def next_command(project: Project, files: Files) -> str:
    """Return it: while a synchronization is paused, the one for the next patch that stops it, if any does.

    Nothing depends on it: where the release cannot be fetched, it is the synchronization itself.
    """
    declaration = read_declaration(project)
    workspace = EditWorkspace(project, declaration, files)
    if workspace.paused() is None:
        return SYNC
    edits = [Edit(workspace.edit(name), name, files) for name in workspace.edits()]
    try:
        with fetch_base_release(project, declaration, files) as base_release:
            trials = stopping_patches(base_release, read_series(project, declaration), edits)
    except ToolError:
        return f"{SYNC} --continue"
    by_hand = [trial.stop.patch.name for trial in trials if not trial.refreshable]
    if by_hand and by_hand[0] not in workspace.edits():
        return settling(trials, paused=True)[0]
    return REFRESH if trials or edits else f"{SYNC} --continue"
