"""Every patch made anew for one release, in order: exported from trees, so that it fits exactly and to the byte."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from ..errors import ToolError
from ..series.document import PatchDocument, parse_patch
from ..series.export import export, with_head
from ..series.renames import follow_renames
from ..series.series import PatchedTree
from ..series.trial import Trial, try_series
from ..tool_name import TOOL
from .editing import Edit
from .release.base_release import BaseRelease
from .several.other_files import carried


@dataclass(frozen=True)
class Refreshed:
    """A refreshed patch: its bytes before (None for a new one), its bytes now, the id of the tree after it."""

    name: str
    before: PatchDocument | None
    content: bytes
    tree: str

    @property
    def changed(self) -> bool:
        """Return whether its file has to be written."""
        return self.before is None or self.before.content != self.content


def refresh_series(
    base_release: BaseRelease,
    series: Sequence[PatchDocument],
    edits: Sequence[Edit] = (),
    *,
    total: int = 0,
    optional: Container[str] = (),
) -> tuple[Refreshed, ...]:
    """Refresh the series on the base release; a patch that is being edited becomes the content of its repository.

    An edit that belongs to no patch of the series is a new patch, after all others.

    Args:
        base_release: the release.
        series: the patches, in order.
        edits: the open edits.
        total: the number of patches that messages count, where the series holds the first ones only.
        optional: names of patches that are left out when they need a person, or are not settled.

    Raises:
        PatchStopped: a patch needs a person.
        ToolError: an edit is not settled, stands on another tree, or changes nothing.
    """
    patched = PatchedTree(base_release.repository, base_release.repository.folder, base_release.base)
    by_name = {edit.name: edit for edit in edits}
    names = {patch.name for patch in series}
    done: list[Refreshed] = []
    for at, patch in enumerate(series, 1):
        before, position = patched.tree, f"{at}/{total or len(series)} "
        edit = by_name.get(patch.name)
        try:
            if edit:
                patched.set(_edited(base_release, before, edit))
            else:
                patched.adapt(follow_renames(patch, base_release.renames), position=position)
        except ToolError:
            if patch.name not in optional:
                raise
            patched.set(before)
            continue
        after = patched.tree
        done.append(make_patch(base_release, patch.name, patch, patch.head, (before, after)))
    for edit in edits:
        if edit.name not in names:
            before = patched.tree
            after = _edited(base_release, before, edit)
            patched.set(after)
            done.append(make_patch(base_release, edit.name, None, edit.head, (before, after)))
    return tuple(done)


def failing_patches(
    base_release: BaseRelease, series: Sequence[PatchDocument], edits: Sequence[Edit]
) -> tuple[Trial, ...]:
    """Return the patches that a refresh cannot make anew; an edit that is settled counts as its patch."""
    return tuple(trial for trial in stopping_patches(base_release, series, edits) if not trial.refreshable)


def stopping_patches(
    base_release: BaseRelease, series: Sequence[PatchDocument], edits: Sequence[Edit]
) -> tuple[Trial, ...]:
    """Return the patches that do not apply as they are; an edit that is settled counts as its patch."""
    by_name = {edit.name: edit for edit in edits}

    def edited(name: str, before: str) -> str | None:
        try:
            return _edited(base_release, before, by_name[name]) if name in by_name else None
        except ToolError:  # not settled yet: the patch itself is tried
            return None

    patched = PatchedTree(base_release.repository, base_release.repository.folder, base_release.base)
    series = [follow_renames(patch, base_release.renames) for patch in series]
    return try_series(patched, series, edited)


def _edited(base_release: BaseRelease, before: str, edit: Edit) -> str:
    same = edit.base == before
    tree = edit.result() if same or edit.release == base_release.target.commit else ""
    if tree:
        base_release.repository.run(
            "fetch", "--quiet", "--no-tags", str(edit.folder), "+refs/heads/edited:refs/heads/edited"
        )
        tree = tree if same else carried(base_release.repository, edit.base, tree, before)
    if not tree:
        raise ToolError(
            f"{edit.name} is being edited on another tree than the series now has there",
            f"save what you need from {edit.folder}, then `{TOOL} patch edit {edit.name} --again`",
        )
    return tree


def make_patch(
    base_release: BaseRelease, name: str, patch: PatchDocument | None, head: bytes, trees: tuple[str, str]
) -> Refreshed:
    """Export the difference of two trees, before and after, under that head.

    Raises:
        ToolError: there is no difference, or it touches a path the head does not declare.
    """
    before, after = trees
    body = export(base_release.repository, before, after)
    if not body:
        raise ToolError(
            f"{name} would change nothing",
            f"change a file first, or give it up: {TOOL} patch drop {name.removesuffix('.patch')}",
        )
    content = with_head(head, body)
    made = parse_patch(name, content)
    listed = base_release.repository.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after).stdout
    for path in listed.split(b"\0")[:-1]:
        if not made.declares(path):
            shown = path.decode("utf-8", "backslashreplace")
            raise ToolError(f"{name} touches {shown}, which its `Paths:` does not declare", "declare it in its head")
    return Refreshed(name, patch, content, after)
