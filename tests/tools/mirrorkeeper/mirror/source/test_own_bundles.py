"""This project's own upstream: its bundles synchronized there and back again, with its patch."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import WHO, Fork, introduce
from tools.mirrorkeeper.declaration.declaration import read_declaration
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.lockfile.pin import Pin, read_pin
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.patch.unattended import sync_refreshing
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow

HERE = Project.at(Path(__file__).parents[5])


@pytest.fixture
def ours(tmp_path: Path) -> Fork:
    """A project with our declaration, bundles and patches, and nothing mirrored yet."""
    for name in ("mirror/upstream", "patches"):
        shutil.copytree(HERE.root / name, tmp_path / "ours" / name)
    shutil.copy(HERE.declaration_path, tmp_path / "ours/mirror")
    shutil.copy(HERE.root / ".gitattributes", tmp_path / "ours")
    git = Git(tmp_path / "ours")
    git.run("init", "--quiet", "--initial-branch=main", ".")
    introduce(git.folder)
    git.run("commit", "--quiet", "--allow-empty", "--message=begin", environment=WHO)
    return Fork(Project.at(git.folder))


def pin_of(project: Project) -> Pin:
    pin = read_pin(project)
    assert pin is not None
    return pin


def refresh_to(fork: Fork, release: str) -> None:
    """Synchronize with patches made anew where they apply at another place, as `mirror sync --refresh` does."""
    synchronization = Synchronization(fork.project, DiskFiles(), fork.said.append)
    sync_refreshing(fork.project, DiskFiles(), fork.said.append, synchronization, SyncOptions(release))


def test_our_releases_are_synchronized_back_and_forth_with_our_patch(ours: Fork) -> None:
    pinned = pin_of(HERE)
    assert read_declaration(HERE).patches
    ours.sync(pinned.name)
    assert pin_of(ours.project) == pinned

    refresh_to(ours, "v0.2.0")
    older = pin_of(ours.project)
    assert older.name == "v0.2.0"
    assert older.final_tree not in (older.root_tree, pinned.final_tree)
    assert ours.codes(prove=True) == []

    refresh_to(ours, pinned.name)
    assert pin_of(ours.project).final_tree == pinned.final_tree
    ours.commit()
    assert ours.codes(prove=True) == []
