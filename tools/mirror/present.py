"""What lies in the mirrored folder before a synchronisation: what it would overwrite, and what it can keep."""

from __future__ import annotations

from dataclasses import dataclass

from ..findings import Finding, Severity
from ..objects import Row
from ..project import Project
from ..tree import Change, Difference
from ..worktree import read_rows
from .declaration import Declaration
from .drift import drift
from .flags import read_flags
from .layers import Layer, Seen, see_files
from .listing import read_tree_rows
from .pin import Pin
from .thorough import compare_layers
from .unchanged import unchanged


@dataclass(frozen=True)
class Present:
    """The working files of the mirror.

    Attributes:
        rows: a row for each.
        foreign: what of them is nobody's but this project's.
        pinned: the rows the pinned tree has, where they are known; else those of the files.
        left_out: paths that a sparse checkout leaves out.
    """

    rows: tuple[Row, ...] = ()
    foreign: tuple[Finding, ...] = ()
    pinned: tuple[Row, ...] = ()
    left_out: tuple[bytes, ...] = ()


def look_at(project: Project, declaration: Declaration, pin: Pin | None) -> Present:
    """Look at the mirrored folder; without a pin every file there is foreign.

    Raises:
        ToolError: the files cannot be read.
    """
    top = project.root / declaration.path
    if pin is None:
        names = read_rows(top, names_only=True)
        seen = Seen(Layer.FILES, differences=tuple(Difference(row.path, Change.ADDED) for row in names))
        return Present((), _errors(project, declaration, seen))
    if unchanged(project, declaration, pin):
        rows = tuple(read_tree_rows(project.git, pin.final_tree) or ())
        return Present(rows, pinned=rows)
    left_out = read_flags(project, declaration).skipped
    seen = see_files(project, declaration, pin, left_out)
    pinned = tuple(seen.wanted.by_path.values()) if seen.wanted else seen.rows
    return Present(seen.rows, _errors(project, declaration, seen), pinned, left_out)


def is_whole(project: Project, declaration: Declaration, pin: Pin) -> bool:
    """Whether every file that should be there is the pinned one; what a sparse checkout leaves out should not be."""
    if unchanged(project, declaration, pin):
        return True
    if not read_flags(project, declaration).skipped:
        return False
    return {finding.code for finding in compare_layers(project, declaration, pin).findings} == {"MIR014"}


def _errors(project: Project, declaration: Declaration, seen: Seen) -> tuple[Finding, ...]:
    return tuple(one for one in drift(project, declaration, [seen]) if one.severity is Severity.ERROR)
