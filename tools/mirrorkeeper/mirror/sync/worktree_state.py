"""State of the mirrored folder before a synchronization: files to overwrite, and files to keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...findings import Finding, Severity
from ...git.objects import Row
from ...git.tree_diff import DifferenceKind, Rows, TreeDifference
from ...git.worktree import read_rows
from ...lockfile.pin import Pin
from ...project import Project
from ..tree.blocked_path import blocked_path
from ..tree.flags import read_flags
from ..tree.listing import read_tree_rows
from ..verify.drift import drift
from ..verify.full_check import compare_layers
from ..verify.layers import Layer, Seen, see_files, without_absent
from ..verify.quick_check import Looks

_SHOWN = 5


@dataclass(frozen=True)
class WorktreeState:
    """The working files of the mirror.

    Attributes:
        rows: a row for each.
        foreign: the ones that belong to this project alone.
        pinned: the rows the pinned tree has, where they are known; else those of the files.
        ignored: the rows of those that git ignores (build output, notes); a synchronization keeps them.
        left_out: paths that a sparse checkout leaves out.
    """

    rows: tuple[Row, ...] = ()
    foreign: tuple[Finding, ...] = ()
    pinned: tuple[Row, ...] = ()
    ignored: tuple[Row, ...] = ()
    left_out: tuple[bytes, ...] = ()

    def refuse_changes(self, declaration: Declaration) -> None:
        """Refuse to overwrite local changes.

        Raises:
            ToolError: there is such a thing.
        """
        if self.foreign:
            listed = _listed([f"{finding.shown_path} ({finding.code})" for finding in self.foreign])
            raise ToolError(
                f"{declaration.path} has changes of its own: {listed}",
                "move them upstream or into a patch; --discard overwrites them",
            )

    def without_coming(self, declaration: Declaration, rows: Iterable[Row]) -> WorktreeState:
        """The state without the changes that the coming rows hold themselves: nothing of those is overwritten."""
        if not self.foreign:
            return self
        coming, here = {row.path: row for row in rows}, {row.path: row for row in self.rows}
        top = declaration.path.encode() + b"/"

        def is_coming(path: bytes) -> bool:
            name = path.removeprefix(top)
            return name != path and here.get(name) == coming.get(name)

        return replace(self, foreign=tuple(one for one in self.foreign if not is_coming(one.path)))

    def kept(self, declaration: Declaration, rows: Iterable[Row], *, discard: bool) -> tuple[Row, ...]:
        """The ignored files that stay when `rows` come, but for those that come as they are.

        With `discard` those in the way do not stay.

        Raises:
            ToolError: one is in the way of a new file.
        """
        coming = Rows(rows) if self.ignored else Rows(())
        others = [row for row in self.ignored if coming.by_path.get(row.path) != row]
        stays = tuple(row for row in others if not _is_in_the_way(row.path, coming))
        if len(stays) < len(others) and not discard:
            names = {row.path for row in others} - {row.path for row in stays}
            shown = _listed([Finding("MIR010", name, "").shown_path for name in sorted(names)])
            raise ToolError(
                f"{declaration.path} has files that git ignores where files of the release belong: {shown}",
                "move them elsewhere; --discard overwrites them",
            )
        return stays


def _is_in_the_way(path: bytes, coming: Rows) -> bool:
    return path in coming.by_path or path in coming.folders or coming.holds_above(path) is not None


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def read_worktree_state(project: Project, declaration: Declaration, pin: Pin | None) -> WorktreeState:
    """Look at the mirrored folder; without a pin every file there is foreign.

    Raises:
        ToolError: the files cannot be read.
    """
    if pin is None:
        found = blocked_path(project, declaration)
        names = () if found else tuple(read_rows(project.root / declaration.path, names_only=True))
        added = tuple(TreeDifference(row.path, DifferenceKind.ADDED) for row in names)
        seen = Seen(Layer.FILES, differences=added, rows=names, blocked_path=found)
        foreign, ignored = _sorted(project, declaration, seen)
        return WorktreeState(foreign=foreign, ignored=ignored)
    if Looks(project, declaration).unchanged(pin):
        rows = tuple(read_tree_rows(project.git, pin.final_tree) or ())
        return WorktreeState(rows, pinned=rows)
    left_out = read_flags(project, declaration).skipped
    seen = without_absent(see_files(project, declaration, pin), left_out)
    pinned = tuple(seen.wanted.by_path.values()) if seen.wanted else seen.rows
    foreign, ignored = _sorted(project, declaration, seen)
    return WorktreeState(seen.rows, foreign, pinned, ignored, left_out)


def is_whole(project: Project, declaration: Declaration, pin: Pin) -> bool:
    """Return whether every file is the pinned one; files a sparse checkout leaves out must be missing."""
    if Looks(project, declaration).unchanged(pin):
        return True
    if not read_flags(project, declaration).skipped:
        return False
    return {finding.code for finding in compare_layers(project, declaration, pin).findings} == {"MIR014"}


def _sorted(project: Project, declaration: Declaration, seen: Seen) -> tuple[tuple[Finding, ...], tuple[Row, ...]]:
    """Return the drift, and the rows of ignored files."""
    findings = list(drift(project, declaration, [seen]))
    top = declaration.path.encode() + b"/"
    names = {one.path.removeprefix(top) for one in findings if one.code == "MIR010"}
    errors = tuple(one for one in findings if one.severity is Severity.ERROR)
    return errors, tuple(row for row in seen.rows if row.path in names)
