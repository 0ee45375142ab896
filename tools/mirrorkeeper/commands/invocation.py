"""The global options: which project is meant."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..project import DECLARATION, Project


class Invocation(NamedTuple):
    """The global options: the folder of the project, and the declaration's path in it."""

    folder: Path = Path()
    declaration: str = DECLARATION

    def project(self) -> Project:
        """The project that is meant.

        Raises:
            ToolError: there is no such folder.
        """
        return Project.at(self.folder, self.declaration)
