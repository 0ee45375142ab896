"""Repositories that have lost objects or references: nothing is said about them but that they are damaged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, make_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow


def losing(name: str) -> Callable[[Fork], None]:
    """Return a step that takes the object of this name away."""

    def lose(fork: Fork) -> None:
        oid = fork.project.git.run("rev-parse", name).text
        (fork.root / ".git/objects" / oid[:2] / oid[2:]).unlink()

    return lose


def lose_all(fork: Fork) -> None:
    shutil.rmtree(fork.root / ".git/objects")
    (fork.root / ".git/objects").mkdir()


def lose_pack_index(fork: Fork) -> None:
    fork.project.git.run("gc", "--quiet")
    for place in (fork.root / ".git/objects/pack").glob("*.idx"):
        place.unlink()


def empty_git(fork: Fork) -> None:
    shutil.rmtree(fork.root / ".git")
    (fork.root / ".git").mkdir()


def write_reference(content: str) -> Callable[[Fork], None]:
    def write(fork: Fork) -> None:
        (fork.root / ".git/refs/heads/main").write_text(content, encoding="utf-8")

    return write


def break_packed_references(fork: Fork) -> None:
    fork.project.git.run("pack-refs", "--all")
    (fork.root / ".git/packed-refs").write_text("garbage\n", encoding="utf-8")


def corrupt_lock(fork: Fork) -> None:
    oid = fork.project.git.run("rev-parse", "HEAD:mirror/upstream.lock").text
    place = fork.root / ".git/objects" / oid[:2] / oid[2:]
    place.chmod(0o600)
    place.write_bytes(b"garbage")


DAMAGES = {
    "objects": lose_all,
    "commit": losing("HEAD"),
    "root tree": losing("HEAD^{tree}"),
    "tree above": losing("HEAD:mirror"),
    "mirror": losing("HEAD:mirror/gateway"),
    "lock": losing("HEAD:mirror/upstream.lock"),
    "corrupt lock": corrupt_lock,
    "pack index": lose_pack_index,
    "reference": write_reference("garbage\n"),
    "empty reference": write_reference(""),
    "reference to nothing": write_reference("1" * 40 + "\n"),
    "packed references": break_packed_references,
    "empty folder": empty_git,
}


@pytest.mark.parametrize("command", [("mirror", "verify"), ("mirror", "verify", "--prove"), ("gates",)])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_a_damaged_repository_cannot_be_checked(
    fork: Fork, capfd: pytest.CaptureFixture[str], damage: Callable[[Fork], None], command: tuple[str, ...]
) -> None:
    damage(fork)
    capfd.readouterr()

    selected = ("--select", "mirror") if command == ("gates",) else ()
    assert main(["-C", str(fork.root), *command, *selected, "--output-format", "json"]) == 2
    report = json.loads(capfd.readouterr().out)
    assert report["status"] == 2
    assert report["findings"] == []
    assert ".git" in report["unchecked"][0] or "repository" in report["unchecked"][0]


def test_a_repository_without_a_commit_is_none_of_them(fork: Fork, tmp_path: Path) -> None:
    shutil.copytree(fork.root, tmp_path / "new", ignore=shutil.ignore_patterns(".git"))
    fresh = Fork(Project.at(tmp_path / "new"))
    assert verify(fresh.project, VerifyOptions()).status == 0
    fresh.project.git.run("init", "--quiet", ".")
    fresh = Fork(Project.at(tmp_path / "new"))
    report = verify(fresh.project, VerifyOptions())
    assert (report.status, {one.code for one in report.findings}) == (0, {"MIR011"})
    fresh.project.git.run("add", "--all", ".")
    assert verify(Project.at(tmp_path / "new"), VerifyOptions()).status == 0


def test_a_mirror_that_is_not_committed_yet_is_none_of_them(tmp_path: Path, fork: Fork) -> None:
    made = make_fork(tmp_path / "begun", "../upstream")
    made.sync()
    assert verify(Project.at(made.root), VerifyOptions()).status == 0
    assert fork.codes() == []
