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
from .layers import Layer, Seen, see_files
from .listing import read_tree_rows
from .obstacle import obstacle
from .pin import Pin
from .unchanged import unchanged


@dataclass(frozen=True)
class Present:
    """The working files of the mirror.

    Attributes:
        rows: a row for each.
        foreign: what of them is nobody's but this project's.
        pinned: the rows the pinned tree has, where they are known; else those of the files.
    """

    rows: tuple[Row, ...] = ()
    foreign: tuple[Finding, ...] = ()
    pinned: tuple[Row, ...] = ()


def look_at(project: Project, declaration: Declaration, pin: Pin | None) -> Present:
    """Look at the mirrored folder; without a pin every file there is foreign.

    Raises:
        ToolError: the files cannot be read.
    """
    top = project.root / declaration.path
    if pin is None:
        found = obstacle(project, declaration)
        names = [] if found else read_rows(top, names_only=True)
        seen = Seen(Layer.FILES, differences=tuple(Difference(row.path, Change.ADDED) for row in names), obstacle=found)
        return Present((), _errors(project, declaration, seen))
    if unchanged(project, declaration, pin):
        rows = tuple(read_tree_rows(project.git, pin.final_tree) or ())
        return Present(rows, pinned=rows)
    seen = see_files(project, declaration, pin)
    pinned = tuple(seen.wanted.by_path.values()) if seen.wanted else seen.rows
    return Present(seen.rows, _errors(project, declaration, seen), pinned)


def _errors(project: Project, declaration: Declaration, seen: Seen) -> tuple[Finding, ...]:
    return tuple(one for one in drift(project, declaration, [seen]) if one.severity is Severity.ERROR)
