"""This project's own upstream: its bundles synchronized there and back again, with its patch."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import WHO, Fork, introduce
from tools.mirrorkeeper.declaration.declaration import read_declaration
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.lockfile.pin import Pin, read_pin
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

HERE = Project.at(Path(__file__).parents[5])


@pytest.fixture
def ours(tmp_path: Path) -> Fork:
    """A project with our declaration, bundles and patches, and nothing mirrored yet."""
    for name in ("mirror/upstream", "patches"):
        shutil.copytree(HERE.root / name, tmp_path / "ours" / name)
    shutil.copy(HERE.declaration_path, tmp_path / "ours/mirror")
    git = Git(tmp_path / "ours")
    git.run("init", "--quiet", "--initial-branch=main", ".")
    introduce(git.folder)
    git.run("commit", "--quiet", "--allow-empty", "--message=begin", environment=WHO)
    return Fork(Project.at(git.folder))


def pin_of(project: Project) -> Pin:
    pin = read_pin(project)
    assert pin is not None
    return pin


def test_our_releases_are_synchronized_back_and_forth_with_our_patch(ours: Fork) -> None:
    pinned = pin_of(HERE)
    assert read_declaration(HERE).patches
    ours.sync(pinned.name)
    assert pin_of(ours.project) == pinned

    ours.sync("v0.2.0")
    older = pin_of(ours.project)
    assert (older.name, older.patches[0].sha256) == ("v0.2.0", pinned.patches[0].sha256)
    assert older.final_tree not in (older.root_tree, pinned.final_tree)
    assert ours.codes(prove=True) == []

    ours.sync(pinned.name)
    assert ours.project.lock_path.read_bytes() == HERE.lock_path.read_bytes()
    ours.commit()
    assert ours.codes(prove=True) == []
