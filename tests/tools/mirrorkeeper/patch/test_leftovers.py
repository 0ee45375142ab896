"""What lies in the folder a patch is edited in, and what of it goes into the patch."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.failing_files import FailingFiles, PowerLostError
from tests.tools.mirrorkeeper.patch.at_work import REASONS, editing, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.errors import Paused, ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.patch.work import PatchWork
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow


def test_what_the_tree_ignores_stays_out_of_the_patch_unless_it_is_added_by_hand(
    fork: Fork, upstream: Upstream
) -> None:
    upstream.commit({".gitignore": b"__pycache__/\n*.log\n"}, tag="v1.2.0")
    fork.sync("v1.2.0")
    work(fork).new("name", REASONS, from_mirror=False)
    folder = editing(fork, "name")
    for name in ("new.txt", "wanted.log", "other.log", "__pycache__/a.pyc"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"new\n")
    Git(folder).run("add", "--force", "wanted.log")
    work(fork).refresh()

    assert fork.said[-2:] == [
        "name.patch adds new.txt, wanted.log",
        "name.patch leaves out files that the tree's own ignore files name: __pycache__/, other.log",
    ]
    fork.sync()
    assert sorted(path.name for path in fork.mirror.iterdir() if path.suffix in (".txt", ".log")) == [
        "long.txt",
        "new.txt",
        "wanted.log",
    ]
    assert not (fork.mirror / "__pycache__").exists()


def test_a_file_the_patch_adds_although_the_tree_ignores_it_survives_an_edit(fork: Fork, upstream: Upstream) -> None:
    work(fork).new("name", REASONS, from_mirror=False)
    (editing(fork, "name") / "ours.log").write_bytes(b"ours\n")
    (editing(fork, "name") / "lib/a.py").write_bytes(b"a = 9\n")
    work(fork).refresh()
    fork.sync()
    upstream.commit({".gitignore": b"*.log\n", "lib/a.py": None}, tag="v1.2.0")
    work(fork).drop("p1")
    with pytest.raises(Paused):
        fork.sync("v1.2.0")
    work(fork).edit("name", again=False)
    for rejected in editing(fork, "name").rglob("*.rej"):
        rejected.unlink()
    work(fork).refresh()

    assert b"+ours" in (fork.root / "patches/name.patch").read_bytes()


def test_rejected_parts_of_the_upstreams_own_hinder_no_edit(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"docs/example.rej": b"shown in the manual\n"}, tag="v1.2.0")
    fork.sync("v1.2.0")
    work(fork).new("name", REASONS, from_mirror=False)
    folder = editing(fork, "name")
    (folder / "README.md").write_bytes(b"ours, renamed\n")
    (folder / "README.md.rej").write_bytes(b"a rejected part\n")

    with pytest.raises(ToolError, match=r"not settled yet: README\.md\.rej$"):
        work(fork).refresh()
    (folder / "README.md.rej").unlink()
    assert work(fork).refresh() == ("name.patch",)


class _Cut(DiskFiles):
    """A disk on which the removal of a repository ends after some of its files."""

    def remove(self, path: Path) -> None:
        if (path / ".git").is_dir():
            shutil.rmtree(path / ".git/refs")
            raise PowerLostError
        super().remove(path)


def test_a_process_that_ends_while_it_removes_an_edit_leaves_none(fork: Fork) -> None:
    work(fork).edit("p0", again=False)
    with pytest.raises(PowerLostError):
        PatchWork(fork.project, _Cut(), fork.said.append).refresh("p0")

    assert work(fork).refresh() == ()
    work(fork).edit("p1", again=False)
    work(fork).refresh()
    assert not editing(fork, "").exists()


@pytest.mark.parametrize("new", [False, True], ids=["a listed patch", "a new one"])
def test_a_process_that_ends_while_it_opens_an_edit_leaves_none(fork: Fork, new: bool) -> None:
    before = contents(fork.root / "patches")
    at = 0
    while True:
        at += 1
        cut = PatchWork(fork.project, FailingFiles(at), fork.said.append)
        try:
            cut.new("name", REASONS, from_mirror=False) if new else cut.edit("p0", again=False)
            break
        except PowerLostError:
            assert not work(fork).workspace.edits()
            assert work(fork).refresh() == ()
            assert contents(fork.root / "patches") == before
    assert at > 5
    assert work(fork).workspace.edits() == (("name.patch",) if new else ("p0.patch",))


def test_an_edit_that_is_not_whole_is_named(fork: Fork) -> None:
    work(fork).edit("p0", again=False)
    shutil.rmtree(editing(fork, "p0") / ".git/refs")

    with pytest.raises(ToolError, match="not whole") as caught:
        work(fork).refresh()
    assert "patch edit p0 --again" in caught.value.advice
    work(fork).edit("p0", again=True)
    assert work(fork).refresh() == ()
