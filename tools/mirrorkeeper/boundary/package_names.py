"""The dotted names a mirrored package can be imported by: its own, and that of its folder seen from the project. Pure.

A folder without `__init__` is a namespace package, so that a program that runs in the project's folder can import
`upstream.src.greeter` as well as `greeter`.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class PackageNames(NamedTuple):
    """The package's own name, and the dotted names of the folder it lies in."""

    package: str
    folders: tuple[str, ...] = ()

    @classmethod
    def within(cls, package: str, folder: str, prefix: str) -> PackageNames:
        """Return the names of a package in a folder of a project, which lies in a repository at `prefix`."""
        places = dict.fromkeys((folder.strip("/"), f"{prefix}{folder}".strip("/")))
        return cls(package, tuple(place.replace("/", ".") for place in places if place))

    def own(self, module: str) -> str:
        """Return the name of a module below the package's own name; empty when it is none of the package."""
        for name in (self.package, *(f"{folder}.{self.package}" for folder in self.folders)):
            if module == name or module.startswith(f"{name}."):
                return self.package + module[len(name) :]
        return ""

    def is_above(self, module: str) -> bool:
        """Return whether a dotted name is one of the folders on the way to the package."""
        return any(f"{folder}.".startswith(f"{module}.") for folder in self.folders)

    @property
    def pattern(self) -> str:
        """The regular expression of the package, by any of its names."""
        folders = "|".join(map(re.escape, self.folders))
        return rf"(?:(?:{folders})\.)?{re.escape(self.package)}" if folders else re.escape(self.package)
