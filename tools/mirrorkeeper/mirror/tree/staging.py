"""Records of a synchronization in the project's git: the tree's objects, and the index entries of exactly two paths.

The entries are written from object ids, never by adding a copy: the mirrored tree's own `.gitignore` and
`.gitattributes` would lose files and change bytes. Nothing else in the index is touched and nothing is committed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...git.command import Git
from ...git.objects import FILE, Row, object_id
from ...project import Project
from ...text import shown_path
from .listing import index_rows, read_tree_rows
from .staged_listing import parse_staged, start_staged

_LOOSE_AT_MOST = 100
_SHOWN = 10


def import_objects(project: Project, repository: Git, tree: str) -> None:
    """Copy those objects of `tree` that the project lacks from the temporary repository, many of them as one pack."""
    listed = repository.run("rev-list", "--objects", "--no-object-names", tree).stdout
    known = project.git.run("cat-file", "--batch-check=%(objectname)", stdin=listed).stdout
    missing = [line.removesuffix(b" missing") for line in known.splitlines() if line.endswith(b" missing")]
    if not missing:
        return
    wanted = b"".join(oid + b"\n" for oid in missing)
    pack = repository.run("pack-objects", "--stdout", "--quiet", "--delta-base-offset", stdin=wanted).stdout
    take = ("unpack-objects", "-q") if len(missing) <= _LOOSE_AT_MOST else ("index-pack", "--stdin", "--fix-thin")
    project.git.run(*take, stdin=pack)


def stage(project: Project, declaration: Declaration, tree: str, lock: bytes) -> None:
    """Write the index entries of the mirror (those of `tree`, imported before) and of the lock; safe to repeat.

    Raises:
        ToolError: the index cannot be written.
    """
    prefix = os.fsencode(project.prefix or "")
    mirror = prefix + declaration.path.encode() + b"/"
    wanted = read_tree_rows(project.git, tree) or []
    paths = {row.path for row in wanted}
    staged = staged_rows(project, declaration)
    gone = [Row(row.path, 0, row.oid) for row in staged if row.path not in paths]
    # An entry that is right stays, with what git knows of its file; one of an unfinished merge is never right.
    right = {row.path: (row.mode, row.oid) for row in staged}
    merging = len(right) != len(staged)
    changed = [row for row in wanted if merging or right.get(row.path) != (row.mode, row.oid)]
    project.git.run("hash-object", "-w", "-t", "blob", "--no-filters", "--stdin", stdin=lock)
    pinned = Row(project.lock.encode(), FILE, object_id("blob", lock, project.object_format))
    # Removals first: a folder that became a file cannot be entered while entries below it are there.
    rows = index_rows(gone, mirror) + index_rows(changed, mirror) + index_rows([pinned], prefix)
    done = project.git.run("update-index", "-z", "--index-info", stdin=rows, check=False)
    if done.status != 0:
        finish = "and any mirror command finishes the rest"
        held = index_lock(project)
        if held.exists():  # left by a git that was killed, or of one at work
            advice = f"the new tree is in place; when no git command is at work, delete {held}, {finish}"
            raise ToolError("the index of git is locked, and the new tree could not be recorded", advice)
        text = f"git update-index failed in {project.root}: {done.complaint}"
        raise ToolError(text, f"the new tree is in place; let the index be written, {finish}")


def index_lock(project: Project) -> Path:
    """Return the file by which git keeps a second command from writing the index."""
    place = project.git.run("rev-parse", "--path-format=absolute", "--git-path", "index.lock").stdout
    return Path(os.fsdecode(place.removesuffix(b"\n")))


def refresh_index(project: Project) -> None:
    """Let git record size and times of the files as they are now, so that it tells quickly that nothing changed since.

    Best effort, after everything else: other files of the project may be changed, which git reports as a failure.
    """
    project.git.run("update-index", "-q", "--refresh", check=False)


def never_clean_notes(project: Project, declaration: Declaration) -> Iterator[str]:
    """A line when git shows files as changed that were just written; after `refresh_index` it has read them all."""
    if project.prefix is None:
        return
    output = project.git.run("diff-files", "--name-only", "--relative", "-z", "--", declaration.path + "/")
    paths = output.stdout.split(b"\0")[:-1]
    if paths:
        listed = ", ".join(shown_path(path) for path in paths[:_SHOWN])
        more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
        said = "git status shows as changed what is not, by attributes of the upstream that it breaks itself"
        yield f"note: {said}: {listed}{more}"


def staged_rows(project: Project, declaration: Declaration) -> list[Row]:
    """The index's entries below the mirror, paths relative to it; all stages of a merge count."""
    return parse_staged(start_staged(project, declaration).finish().stdout, declaration.path.encode() + b"/")
