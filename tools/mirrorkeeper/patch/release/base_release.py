"""The release patches are based on: its tree, fetched and checked, in a temporary repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...git.command import Git
from ...lockfile.pin import read_pin
from ...mirror.source.candidate import base_of
from ...mirror.source.source import Source, Target
from ...mirror.workspace.edit_workspace import EditWorkspace
from ...project import Project
from ...series.renames import renamed_files
from ...system.files import Files
from ...system.working_folder import working_folder
from ...tool_name import TOOL
from ..undo import PatchUndo
from .former import store_former


@dataclass(frozen=True)
class BaseRelease:
    """One release to make patches for.

    Attributes:
        repository: git on the repository with its history.
        target: the release.
        base: its mirrored tree.
        renames: new names, by old ones, of files the upstream renamed since the pinned release.
    """

    repository: Git
    target: Target
    base: str
    renames: Mapping[bytes, bytes] = field(default_factory=dict)


@contextmanager
def fetch_base_release(project: Project, declaration: Declaration, files: Files) -> Iterator[BaseRelease]:
    """Fetch the release patches are made for now: that of a paused synchronization, else the pinned one.

    Raises:
        ToolError: nothing is pinned yet, or the release cannot be fetched.
    """
    pin, paused = read_pin(project), EditWorkspace(project, declaration, files).paused()
    if paused is not None:
        wanted, place = paused.wanted, paused.source
    elif pin is not None:
        wanted, place = pin.reference, None
    else:
        raise ToolError("nothing was mirrored yet", f"{TOOL} mirror sync, then make patches")
    object_format = pin.object_format if pin else project.object_format
    source = Source(project, declaration, place)
    with working_folder("patches-") as folder:
        repository = source.fetch(Path(folder), None, object_format)
        target = source.find(repository, wanted)
        base, _ = base_of(repository, target, declaration, object_format)
        moved = pin is not None and pin.commit != target.commit
        renames = (
            renamed_files(repository, *map(declaration.tree_of, (pin.commit, target.commit))) if pin and moved else {}
        )
        if pin and moved:
            undo = PatchUndo(project, declaration, EditWorkspace(project, declaration, files), files)
            store_former(repository, project, declaration, pin, undo)
        yield BaseRelease(repository, target, base, renames)
