"""The global options: which project is meant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..project import DECLARATION, Project


@dataclass(frozen=True)
class Invocation:
    """The global options: the folder of the project, and the declaration's path in it."""

    folder: Path = Path()
    declaration: str = DECLARATION

    def project(self) -> Project:
        """The project that is meant.

        Raises:
            ToolError: there is no such folder.
        """
        return Project.at(self.folder, self.declaration)
