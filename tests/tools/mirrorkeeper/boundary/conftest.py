"""A small project for tests of files that are broken, or cannot be read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.boundary.test_boundary import FILES
from tests.tools.mirrorkeeper.boundary.test_go_boundary import FILES as GO_FILES
from tests.tools.mirrorkeeper.boundary.test_go_boundary import OWN, RULES, write
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, introduce, make_fork
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


@pytest.fixture(scope="session")
def gofolder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gofolder")
    Upstream(folder / "go-upstream").commit(GO_FILES, tag="v1.0.0")
    fork = make_fork(folder / "go-fork", "../go-upstream", RULES)
    fork.sync("v1.0.0")
    write(fork, OWN)
    return folder


@pytest.fixture
def gofork(gofolder: Path, tmp_path: Path) -> Fork:
    """A fork with a module of its own around the mirrored one, and an adapter that alone imports it."""
    shutil.copytree(gofolder, tmp_path, symlinks=True, dirs_exist_ok=True)
    return Fork(Project.at(tmp_path / "go-fork"))
