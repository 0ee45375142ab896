"""A synchronization without a person: patches that fit without a decision are made anew, anything else pauses."""

from __future__ import annotations

from collections.abc import Callable

from ..declaration.declaration import read_declaration
from ..errors import Paused
from ..mirror.sync.sync import Synchronization
from ..mirror.sync.sync_options import SyncOptions
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..project import Project
from ..system.files import Files
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
        ToolError: it could not be done.
    """
    try:
        synchronization.run(options)
    except Paused:
        if EditWorkspace(project, read_declaration(project), files).edits():
            raise
        for name in PatchWork(project, files, say).refresh(attended=False):
            say(f"made anew without a person: {name}; review its difference")
        synchronization.go_on()
