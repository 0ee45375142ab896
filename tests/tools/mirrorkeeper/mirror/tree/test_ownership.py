"""A project whose files belong to another user: git reads it only for who says that it is trusted."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.findings import Report
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow


def _give_away(fork: Fork, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a project somebody else's. Only root can; for anybody else git is told so by its own switch for tests."""
    if os.geteuid() == 0:
        for path in [fork.root, *fork.root.rglob("*")]:
            os.chown(path, 12345, 12345, follow_symlinks=False)
        return
    git = folder / "bin" / "git"
    git.parent.mkdir()
    git.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"\n', encoding="utf-8")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(git.parent), prepend=os.pathsep)


def _verified(project: Project) -> Report:
    return verify(project, VerifyOptions())


def test_a_repository_of_somebody_else_is_read_when_the_user_trusts_it(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _give_away(fork, tmp_path, monkeypatch)
    monkeypatch.setenv("HOME", str(tmp_path))
    for look in (_verified, doctor):
        with pytest.raises(ToolError, match="dubious ownership") as caught:
            look(Project.at(fork.root))
        assert caught.value.advice == f"git config --global --add safe.directory {fork.root}"
    with pytest.raises(ToolError, match="dubious ownership"):
        Fork(Project.at(fork.root)).sync(discard=True)
    (tmp_path / ".gitconfig").write_text(f"[safe]\n\tdirectory = {fork.root}\n", encoding="utf-8")

    assert Project.at(fork.root).prefix == ""
    assert verify(Project.at(fork.root), VerifyOptions()).findings == ()
