"""Small Go trees for tests, as commits of a real repository."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.tools.mirrorkeeper.repositories import Upstream
from tools.mirrorkeeper.contract.gosource.repository import GoRepository
from tools.mirrorkeeper.contract.surface import Surface

GO_MOD = b"module example.test/gate/v7\n\ngo 1.24\n"
HEAD = 'package api\n\nimport "github.com/gin-gonic/gin"\n\n'


def surface_of(folder: Path, files: Mapping[str, str]) -> Surface:
    """What is read from a tree of these files."""
    upstream = Upstream(folder / "go")
    upstream.commit({"go.mod": GO_MOD, **{name: text.encode() for name, text in files.items()}})
    return GoRepository(folder / "go").surface("HEAD")


def routes_of(folder: Path, files: Mapping[str, str]) -> list[str]:
    """The routes of a tree, one line each, sorted."""
    routes = surface_of(folder, files).routes
    return sorted(f"{method} {path}" for path, methods in routes.items() for method in methods)
