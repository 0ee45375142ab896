"""A small project for tests of files that are broken, or cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.boundary.test_boundary import FILES
from tests.tools.mirrorkeeper.repositories import introduce
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A small project with an import that is forbidden, and no other contracts."""
    for name, text in {**FILES, "other.py": "import gateway\n"}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace('contracts = ".importlinter"', ""), encoding="utf-8")
    git = Git(tmp_path)
    git.run("init", "--quiet", ".")
    introduce(tmp_path)
    git.run("add", "--all", ".")
    return Project.at(tmp_path)
