"""The `[boundary]` table of `upstream.toml`: the guarded package, its importers, the list of its names in use."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..errors import ToolError
from ..toml.table import Table

PYTHON = "python"
GO = "go"
_MODULE = re.compile(r"[\w.~-]+(/[\w.~-]+)*")


class BoundaryDeclaration(NamedTuple):
    """Settings of the boundary.

    Attributes:
        package: the mirrored package that only the importers may import; for Go the module's path.
        source: folder within the mirrored one that the package lies in; may be empty.
        importers: folders and files of the project that may import the package.
        generated: those importers whose names are not listed, because a generator wrote them.
        symbols: the list of the package's names in use, relative to the project; for Go it may be empty.
        contracts: import-linter's configuration, relative to the project; empty when there is none.
        exempt: folders and files that are not judged at all; every other source file of the project is.
        language: `python` or `go`.
    """

    package: str
    source: str
    importers: tuple[str, ...]
    generated: tuple[str, ...]
    symbols: str
    contracts: str = ""
    exempt: tuple[str, ...] = ()
    language: str = "python"

    def allows(self, path: str) -> bool:
        """Return whether the file at `path` may import the package."""
        return _is_below(path, (*self.importers, *self.generated))

    def exempts(self, path: str) -> bool:
        """Return whether the file at `path` is not judged."""
        return _is_below(path, self.exempt)

    def counts(self, path: str) -> bool:
        """Return whether the names the file uses must be in the list."""
        return self.allows(path) and not _is_below(path, self.generated)


def read_boundary(table: Table) -> BoundaryDeclaration:
    """Read the table.

    Raises:
        ToolError: a key is missing, unknown or of the wrong type.
    """
    if table.texts("roots"):
        advice = "take `roots` out, and name in `exempt` what is not to be judged"
        raise ToolError("[boundary]: `roots` is no longer read: every Python file of the project is judged", advice)
    language = table.text("language", PYTHON)
    declaration = BoundaryDeclaration(
        package=table.text("package"),
        source=table.text("source", ""),
        importers=table.texts("importers"),
        generated=table.texts("generated"),
        symbols=table.text("symbols") if language == PYTHON else table.text("symbols", ""),
        contracts=table.text("contracts", ""),
        exempt=table.texts("exempt"),
        language=language,
    )
    table.finish()
    _check(declaration)
    return declaration


def _check(declaration: BoundaryDeclaration) -> None:
    if declaration.language not in (PYTHON, GO):
        raise ToolError(f"[boundary]: {declaration.language!r} is no language it can read", f"{PYTHON} or {GO}")
    if declaration.language == GO and declaration.contracts:
        raise ToolError("[boundary]: `contracts` are those of import-linter, which reads Python", "take them out")
    if declaration.language == GO and not _MODULE.fullmatch(declaration.package):
        raise ToolError("[boundary]: `package` must be the module path of the mirrored `go.mod`")
    if declaration.language == PYTHON and not declaration.package.isidentifier():
        raise ToolError("[boundary]: `package` must be the name of one top-level package")


def _is_below(path: str, places: tuple[str, ...]) -> bool:
    return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)
