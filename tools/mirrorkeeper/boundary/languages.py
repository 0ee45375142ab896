"""The check of the boundary in the declared language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..declaration.boundary import GO
from ..declaration.declaration import read_declaration
from ..project import Project

if TYPE_CHECKING:
    from .check import Boundary
    from .go_code.check import GoBoundary


def boundary_of(project: Project) -> Boundary | GoBoundary:
    """Start the check of a project's boundary.

    Raises:
        ToolError: nothing is declared, or the mirrored code is not there.
    """
    rules = read_declaration(project).boundary
    if rules is not None and rules.language == GO:
        from .go_code.check import GoBoundary  # here, so that a project of Python needs no reader of Go

        return GoBoundary(project)
    from .check import Boundary

    return Boundary(project)
