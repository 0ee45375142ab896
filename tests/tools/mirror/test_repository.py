"""Git through GitPython, isolated from whoever runs it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.tools.mirror.project import Fork, Upstream, git
from tools.mirror.cli import main
from tools.mirror.errors import GitError, ToolError
from tools.mirror.repository import Output, Repository
from tools.mirror.verify import verify


def test_settings_of_user_and_process_change_nothing(
    tmp_path: Path, fork: Fork, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = tmp_path / "hooks/post-checkout"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\ntouch ran\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    settings = (
        f"[core]\n autocrlf = true\n hooksPath = {hook.parent}\n[am]\n threeWay = false\n[diff]\n noprefix = true\n"
    )
    (home / ".gitconfig").write_text(settings + "[apply]\n whitespace = fix\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    for hooks in (fork.root / ".git/hooks", fork.root / "mirror/.work/repository/hooks"):
        hooks.mkdir(exist_ok=True)
        (hooks / "post-checkout").write_bytes(hook.read_bytes())
        (hooks / "post-checkout").chmod(0o755)

    fork.sync("v1.1.0", refresh=True)

    assert "GIT_DIR" not in os.environ
    assert [finding.code for finding in verify(fork.declaration) if finding.level == "error"] == []
    assert not list(tmp_path.rglob("ran"))


def test_a_folder_of_no_repository_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(ToolError, match="is not in a git repository"):
        Repository.at(tmp_path)


def test_a_failing_command_says_why(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path / "bare")
    with pytest.raises(GitError, match=r"git rev-parse failed in .*: fatal"):
        repository.run("rev-parse", "--verify", "nothing")


def test_lines_of_a_complaint_are_joined_by_one_semicolon() -> None:
    assert Output(128, b"", "fatal: it is locked;\nuse 'unlock'\n").complaint == "fatal: it is locked; use 'unlock'"


def test_blobs_are_read_by_one_process(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    upstream.commit({"a": b"1\n2\n", "b": b""})
    ids = [git(upstream.folder, "rev-parse", f"HEAD:{name}") for name in ("a", "b")]
    assert Repository(upstream.folder).read_blobs(ids) == [b"1\n2\n", b""]


def test_a_project_below_the_top_of_its_repository_is_mirrored(tmp_path: Path, upstream: Upstream) -> None:
    git(tmp_path, "init", "--quiet")
    fork = Fork.make(tmp_path / "sub/fork", str(upstream.folder))
    (fork.root / ".git").rename(tmp_path / "unused")
    git(tmp_path, "add", "sub")
    git(tmp_path, "commit", "--quiet", "--message=x")
    fork.sync("v1.0.0")
    git(tmp_path, "commit", "--quiet", "--message=x")

    assert [finding.code for finding in verify(fork.declaration)] == []
    fork.sync("v1.1.0")
    assert [finding.code for finding in verify(fork.declaration) if finding.level == "error"] == []


def test_gitpython_is_asked_for_only_where_git_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "git", None)
    assert main(["--help"]) == 0
    with pytest.raises(ToolError, match="GitPython cannot be used") as error:
        Repository(tmp_path)
    assert "development environment, or install git, click, GitPython and import-linter" in error.value.hint
