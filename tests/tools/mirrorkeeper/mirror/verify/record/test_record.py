"""The record of a clean answer: what it names, and when there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.repositories import WHO, Fork
from tools.mirrorkeeper.cli import main

pytestmark = pytest.mark.slow

VARIABLE = "MIRRORKEEPER_RECORD"
TOOLS = str(ROOT / "tools/mirrorkeeper")


@pytest.fixture(autouse=True)
def _a_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a home without settings, and no job of GitHub."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("GITHUB_ACTIONS", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)


class Recorded:
    """One check with a record asked for: its status, and the fields of the record."""

    def __init__(self, fork: Fork, *options: str) -> None:
        file = fork.root.parent / "record"
        file.write_bytes(b"")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, str(file))
            self.status = main(["-C", str(fork.root), "mirror", "verify", *options])
        self.fields = [os.fsdecode(field) for field in file.read_bytes().split(b"\0")[:-1]]
        self._root = fork.root

    def paths(self, kind: str) -> set[str]:
        """The paths of one kind, relative to the project where they lie in it."""
        pairs = zip(self.fields[1:-4:2], self.fields[2:-4:2], strict=True)
        found = [Path(path) for one, path in pairs if one == kind]
        return {path.relative_to(self._root).as_posix() if self._root in path.parents else str(path) for path in found}


def test_a_record_names_the_project_the_repository_and_the_settings(fork: Fork, tmp_path: Path) -> None:
    recorded = Recorded(fork)

    assert recorded.fields[0] == "mirrorkeeper record 1"
    assert recorded.paths("tree") == {"mirror/gateway", "mirror/upstream.toml", "mirror/upstream.lock", "patches"}
    assert recorded.paths("linkless") == {".git/objects", TOOLS}
    entries = {".git/HEAD", ".git/index", ".git/refs/heads/main", ".git/config", ".gitattributes"}
    assert entries | {"/etc/gitattributes", sys.executable} <= recorded.paths("entry")
    absent = {".gitignore", ".git/packed-refs", ".git/reftable", str(tmp_path / "home/.gitconfig")}
    assert absent <= recorded.paths("absent")


def test_a_record_holds_the_answer_as_it_was_printed(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = Recorded(fork, "--output-format", "json")

    assert recorded.fields[-4::2] == ["checked", "answer"]
    assert recorded.fields[-1] == capsys.readouterr().out


@pytest.mark.parametrize("option", ["--bytes", "--prove"])
def test_a_check_that_reads_every_file_asks_for_their_contents(fork: Fork, option: str) -> None:
    recorded = Recorded(fork, option)

    project = {"mirror/gateway", "mirror/upstream.toml", "mirror/upstream.lock", "patches"}
    assert project | {".git/index", ".git/HEAD", ".git/config", ".gitattributes"} <= recorded.paths("bytes")
    assert recorded.paths("tree") == set()
    assert recorded.paths("linkless") == {".git/objects", TOOLS}


def test_settings_that_include_others_name_those_too(fork: Fork, tmp_path: Path) -> None:
    settings = "[include]\n\tpath = more\n[core]\n\tattributesFile = ~/mine\n"
    (tmp_path / "home/.gitconfig").write_text(settings, encoding="utf-8")
    with (fork.root / ".git/config").open("a", encoding="utf-8") as file:
        file.write('[includeIf "onbranch:x"]\n\tpath = ../local\n')

    expected = {str(tmp_path / "home" / name) for name in ("more", "mine")}
    assert {*expected, "local"} <= {os.path.normpath(path) for path in Recorded(fork).paths("entry")}


def test_a_linked_worktree_names_its_own_index_and_the_shared_objects(fork: Fork, tmp_path: Path) -> None:
    fork.project.git.run("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    recorded = Recorded(Fork(type(fork.project).at(tmp_path / "linked")))

    shared = str(fork.root / ".git")
    assert {f"{shared}/worktrees/linked/index", f"{shared}/refs/heads/other", ".git"} <= recorded.paths("entry")
    assert f"{shared}/objects" in recorded.paths("linkless")


def finding(fork: Fork) -> None:
    (fork.mirror / "README.md").write_bytes(b"other\n")


def note(fork: Fork) -> None:
    (fork.root / ".git/info").mkdir()
    (fork.root / ".git/info/exclude").write_text("more.txt\n", encoding="utf-8")
    (fork.mirror / "more.txt").write_bytes(b"")


def borrowed_objects(fork: Fork) -> None:
    lender = fork.root.parent / "lender/objects"
    lender.mkdir(parents=True)
    (fork.root / ".git/objects/info/alternates").write_text(f"{lender}\n", encoding="utf-8")


def interrupted_refresh(fork: Fork) -> None:
    folder = fork.root / "mirror/.gateway.edit"
    folder.mkdir()
    (folder / "refreshing.json").write_text("{}", encoding="utf-8")


def included_from_git(fork: Fork) -> None:
    with (fork.root / ".git/config").open("a", encoding="utf-8") as file:
        file.write('[includeIf "onbranch:none"]\n\tpath = %(prefix)/etc/more\n')


def index_in_two_files(fork: Fork) -> None:
    fork.project.git.run("update-index", "--split-index")


@pytest.mark.parametrize(
    "change", [finding, note, borrowed_objects, interrupted_refresh, included_from_git, index_in_two_files]
)
def test_there_is_no_record_where_the_answer_may_be_another_next_time(
    fork: Fork, change: Callable[[Fork], None]
) -> None:
    change(fork)

    assert Recorded(fork).fields == []


def test_there_is_no_record_where_a_script_stands_for_git(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "home/git"
    script.write_text(f'#!/bin/sh\nexec "{shutil.which("git")}" "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    recorded = Recorded(fork)

    assert (recorded.status, recorded.fields) == (0, [])


def test_there_is_no_record_of_a_revision(fork: Fork) -> None:
    assert Recorded(fork, "--rev", "HEAD").fields == []


def test_there_is_no_record_of_a_proof_that_a_keyring_decides_on(fork: Fork) -> None:
    with fork.project.declaration_path.open("a", encoding="utf-8") as file:
        file.write('[signatures]\npolicy = "recorded"\nkeys = "keys.asc"\n')
    fork.commit()

    assert Recorded(fork).fields[0] == "mirrorkeeper record 1"
    assert Recorded(fork, "--prove").fields == []


def test_there_is_no_record_outside_of_a_repository(fork: Fork) -> None:
    subprocess.run(["mv", ".git", "../elsewhere"], cwd=fork.root, check=True, env=os.environ | WHO)

    recorded = Recorded(fork)
    assert (recorded.status, recorded.fields) == (0, [])


def test_there_is_no_record_before_the_first_commit(fork: Fork) -> None:
    fork.project.git.run("update-ref", "-d", "HEAD")
    recorded = Recorded(fork)

    assert (recorded.status, recorded.fields) == (0, [])


def test_there_is_no_record_of_a_folder_with_a_line_break_in_its_name(fork: Fork) -> None:
    moved = fork.root.rename(fork.root.with_name("two\nlines"))
    recorded = Recorded(Fork(type(fork.project).at(moved)))

    assert (recorded.status, recorded.fields) == (0, [])


def test_an_address_with_a_secret_is_not_in_a_record(fork: Fork) -> None:
    for path in (fork.project.declaration_path, fork.project.lock_path):
        text = path.read_text(encoding="utf-8").replace('"../upstream"', '"https://ann:s3cr3t-7@127.0.0.1:9/x.git"')
        path.write_text(text, encoding="utf-8")
    fork.commit()
    recorded = Recorded(fork)

    assert recorded.fields[0] == "mirrorkeeper record 1"
    assert not [field for field in recorded.fields if "s3cr3t-7" in field]


def test_a_job_of_github_gets_no_record(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    assert Recorded(fork).fields == []


def test_a_closed_standard_output_is_told(
    fork: Fork, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        status = main(["-C", str(fork.root), "mirror", "verify"])

    assert status == 2
    assert capsys.readouterr().err.startswith("error: standard output is closed, and the report goes there\nhelp: ")


def test_a_closed_error_output_changes_neither_status_nor_report(fork: Fork, tmp_path: Path) -> None:
    def closed(folder: Path) -> tuple[int, str]:
        words = [sys.executable, "-m", "tools.mirrorkeeper", "-C", str(folder), "mirror", "verify"]
        call = ["sh", "-c", 'exec "$@" 2>&-', "sh", *words]
        done = subprocess.run(call, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout

    status, report = closed(fork.root)

    assert (status, report.splitlines()[-1:]) == (0, ["mirror verify: clean"])
    assert closed(tmp_path / "none") == (2, "")


def test_a_record_that_cannot_be_written_is_told_and_changes_no_status(
    fork: Fork, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(fork.root / "none/record"))

    assert main(["-C", str(fork.root), "mirror", "verify"]) == 0
    assert "note: this answer cannot be kept: No such file or directory" in capsys.readouterr().err
