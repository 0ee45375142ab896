"""A lock that is gone or damaged: what is told leads back to the pinned release."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.verify.releases.outdated import outdated
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("damage", ["gone", "base64", "commit"])
def test_what_is_told_of_a_lost_lock_brings_it_back(fork: Fork, damage: str) -> None:
    lock = fork.project.lock_path
    text = lock.read_text(encoding="utf-8")
    if damage == "gone":
        lock.unlink()
    elif damage == "base64":
        lock.write_text(text.replace("commit_object =", 'commit_object_base64 = "###"\nxcommit_object ='), "utf-8")
    else:
        lock.write_text(text.replace('\ncommit = "', '\ncommit = "x'), encoding="utf-8")

    with pytest.raises(ToolError) as caught:
        verify(fork.project, VerifyOptions())
    command = "git checkout" + caught.value.advice.partition("git checkout")[2]
    subprocess.run(command.split(), cwd=fork.root, check=True)
    assert fork.codes() == []


@pytest.mark.parametrize("arguments", [["mirror", "sync"], ["mirror", "sync", "--discard"]])
def test_a_synchronization_never_takes_another_release_for_a_lost_lock(
    fork: Fork, upstream: Upstream, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    fork.project.lock_path.unlink()

    assert main(["-C", str(fork.root), *arguments]) == 2
    error, advice = capsys.readouterr().err.splitlines()
    assert error == "error: mirror/upstream.lock is not there, but in the last commit"
    assert advice == "help: git checkout HEAD -- mirror/upstream.lock"


def test_files_without_a_lock_are_told_with_the_command_that_takes_them_over(
    tmp_path: Path, upstream: Upstream
) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder))
    fork.mirror.mkdir()
    (fork.mirror / "README.md").write_bytes(b"upstream\n")

    with pytest.raises(ToolError, match="is not there, and mirror/gateway holds files") as caught:
        outdated(fork.project)
    command = caught.value.advice.partition("python -m tools ")[2].replace("TAG", "v1.0.0")
    assert main(["-C", str(fork.root), *command.split()]) == 0
    assert fork.codes(prove=True) == []
