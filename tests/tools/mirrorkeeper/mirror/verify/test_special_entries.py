"""Things that git itself never lists, planted in committed mirrors: the quick check finds them without `--bytes`."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify


def repository(path: Path) -> None:
    Git(path.parent).run("init", "--quiet", ".")


def redirect(path: Path) -> None:
    path.write_text("gitdir: /nowhere\n", encoding="utf-8")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def device(path: Path) -> None:
    os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))


@pytest.mark.parametrize(
    ("name", "plant"),
    [
        (".git", repository),
        (".git", redirect),
        ("src/.git", repository),
        ("src/.git", redirect),
        ("src/.GIT", redirect),
        ("pipe", os.mkfifo),
        ("src/pipe", os.mkfifo),
        ("new/pipe", os.mkfifo),
        ("s", listening),
    ],
)
def test_the_quick_check_finds_what_git_never_lists(fork: Fork, name: str, plant: Callable[[Path], None]) -> None:
    fork.project.git.run("update-index", "-q", "--refresh")  # the fixture is a copy, with times of its own
    assert "by git's records" in verify(fork.project, VerifyOptions()).checks[0].summary
    path = fork.mirror / name
    path.parent.mkdir(exist_ok=True)
    plant(path)

    codes = {code for code, shown in fork.found() if shown.startswith(f"mirror/gateway/{name}")}
    assert codes & {"MIR002", "MIR006"}


@pytest.mark.parametrize(
    ("name", "plant", "code"),
    [("x.log", os.mkfifo, "MIR006"), ("s.log", listening, "MIR006"), ("r.log/.git", redirect, "MIR010")],
)
def test_a_name_that_git_ignores_hides_no_pipe(fork: Fork, name: str, plant: Callable[[Path], None], code: str) -> None:
    with (fork.root / ".gitignore").open("a", encoding="utf-8") as ignored:
        ignored.write("*.log\n")
    fork.commit()
    path = fork.mirror / name
    path.parent.mkdir(exist_ok=True)
    plant(path)

    assert fork.found() == [(code, f"mirror/gateway/{name}")]


def test_the_quick_check_finds_a_device(fork: Fork) -> None:
    try:
        device(fork.mirror / "null")
    except PermissionError:  # the kernel leaves devices to root; the rule is that of pipes and sockets
        os.mkfifo(fork.mirror / "null")

    assert fork.found() == [("MIR006", "mirror/gateway/null")]


@pytest.mark.parametrize("kind", ["link out", "link to a copy", "linked folder", "pipe", "folder"])
def test_a_patch_that_is_no_file_of_its_own_is_found_and_never_read(
    tmp_path: Path, upstream: Upstream, kind: str
) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    fork.sync()
    fork.commit()
    assert fork.found() == []
    patch = fork.root / "patches/p0.patch"
    if kind == "linked folder":
        (fork.root / "patches").rename(tmp_path / "elsewhere")
        (fork.root / "patches").symlink_to(tmp_path / "elsewhere")
    else:
        copy = tmp_path / "copy.patch" if kind == "link out" else fork.root / "p0.patch"
        patch.rename(copy)
        if kind == "pipe":
            os.mkfifo(patch)
        elif kind == "folder":
            patch.mkdir()
        else:
            patch.symlink_to(copy)
    shown = "patches" if kind == "linked folder" else "patches/p0.patch"

    assert fork.found() == [("PAT002", shown)]
    with pytest.raises(ToolError, match="has to be"):
        fork.sync()
