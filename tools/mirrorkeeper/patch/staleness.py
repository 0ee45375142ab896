"""Stale patch files: those that differ from a fresh export of their effect, and those without an effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ..declaration.declaration import Declaration
from ..findings import Finding
from ..git.command import Git, borrow_objects, create_bare
from ..lockfile.pin import Pin
from ..project import Project
from ..series.document import PatchDocument
from ..series.export import export, with_head
from ..series.next_steps import REFRESH, SYNC
from ..series.series import PatchedTree
from ..system.working_folder import working_folder
from ..tool_name import TOOL
from .effect.silent_drops import repeated_lines


@dataclass(frozen=True)
class AppliedSeries:
    """A series and the trees it leads through: `trees[0]` before all patches, then one after each."""

    repository: Git
    series: Sequence[PatchDocument]
    trees: Sequence[str]


def applied_offline(
    project: Project, pin: Pin, series: Sequence[PatchDocument], folder: Path
) -> AppliedSeries | str | None:
    """Find the trees by taking every patch back from the mirrored tree, in the project's own objects.

    Returns:
        The name of a patch that cannot be taken back; None when the project has no such objects.
    """
    if project.prefix is None or project.object_format != pin.object_format:
        return None
    if project.git.run("cat-file", "-e", f"{pin.final_tree}^{{tree}}", check=False).status != 0:
        return None
    repository = create_bare(folder, pin.object_format)
    borrow_objects(repository, project.git)
    patched, trees = PatchedTree(repository, folder, pin.final_tree), [pin.final_tree]
    for patch in reversed(series):
        if not patched.revert(patch):
            return patch.name
        trees.append(patched.current())
    return AppliedSeries(repository, series, trees[::-1])


def offline_findings(
    project: Project, declaration: Declaration, pin: Pin, series: Sequence[PatchDocument]
) -> list[Finding] | None:
    """Find stale patches without the upstream, and a patch the mirrored tree cannot be made with."""
    with working_folder("patches-") as folder:
        applied = applied_offline(project, pin, series, Path(folder))
        if isinstance(applied, str):
            text = f"cannot be taken back from the tree that {project.lock} names"
            return [Finding("PAT004", _path(declaration, applied), text, f"{SYNC} --discard")]
        if applied is None:
            return None
        repeated = repeated_lines(declaration, applied.repository, series, applied.trees[-1])
        return [*stale_findings(declaration, applied), *repeated]


def stale_findings(declaration: Declaration, applied: AppliedSeries) -> Iterator[Finding]:
    """Yield a finding for every patch file that is written otherwise, and every file patches leave as it was."""
    steps = list(pairwise(applied.trees))
    for patch, (before, after) in zip(applied.series, steps, strict=True):
        if patch.content != with_head(patch.head, export(applied.repository, before, after)):
            yield Finding("PAT003", _path(declaration, patch.name), "differs from a refreshed file", REFRESH)
    touched = [_changed_paths(applied.repository, before, after) for before, after in steps]
    lasting = _changed_paths(applied.repository, applied.trees[0], applied.trees[-1])
    for path in sorted(set().union(*touched) - lasting):
        by = [(patch.name, paths) for patch, paths in zip(applied.series, touched, strict=True) if path in paths]
        names, (last, paths) = " and ".join(name for name, _ in by), by[-1]
        text = f"is left as the upstream has it by {names} together: take it out of each, the last one first"
        # A patch that does nothing else goes as a whole.
        fix = f"{TOOL} patch {'drop' if paths == {path} else 'edit'} {last.removesuffix('.patch')}"
        yield Finding("PAT006", declaration.path.encode() + b"/" + path, text, fix)


def _path(declaration: Declaration, name: str) -> bytes:
    return f"{declaration.patch_folder}/{name}".encode()


def _changed_paths(repository: Git, before: str, after: str) -> set[bytes]:
    command = ("diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after)
    return set(repository.run(*command).stdout.split(b"\0")[:-1])
