"""The SHA-256 ids in the lock, and the trees on the way from the mirror to the commit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, make_fork
from tests.tools.mirrorkeeper.series.test_series import HEAD, diff
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.lockfile.pin import Pin, read_pin
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

OTHER = "0123456789abcdef" * 4


def pinned(fork: Fork) -> Pin:
    pin = read_pin(fork.project)
    assert pin is not None
    return pin


def forge(fork: Fork, pin: Pin) -> None:
    """Put another lock in the place of the lock, and commit it."""
    fork.project.lock_path.write_bytes(pin.render())
    fork.commit()


def found(fork: Fork, *, prove: bool = False) -> list[Finding]:
    return list(verify(fork.project, VerifyOptions(prove=prove, hashed=True)).findings)


@pytest.fixture
def patched(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project that leaves a folder out and has two patches on one file, committed."""
    first = diff(upstream, {"README.md": b"ours\n"})
    upstream.commit({"README.md": b"ours\n", "docs/a.md": b"a\n"}, message="for the second patch")
    second = diff(upstream, {"README.md": b"ours too\n"}, HEAD)
    upstream.commit({"README.md": b"upstream\n"}, tag="v1.1.0")
    order = '[patches]\norder = ["p0.patch", "p1.patch"]\n'
    fork = make_fork(tmp_path / "fork", str(upstream.folder), order, exclude='["docs"]')
    (fork.root / "patches").mkdir()
    for name, text in (("p0", first), ("p1", second)):
        (fork.root / f"patches/{name}.patch").write_text(text, encoding="utf-8")
    fork.sync("v1.1.0")
    fork.commit()
    return fork


def test_the_lock_holds_the_tree_ids_git_gives_the_same_files_in_its_sha_256_format(
    patched: Fork, tmp_path: Path
) -> None:
    shutil.copytree(patched.mirror, tmp_path / "copy")
    other = Git(tmp_path / "copy")
    other.run("init", "--quiet", "--object-format=sha256", ".")
    other.run("add", "--all", "--force")
    final = other.run("write-tree").text
    (tmp_path / "copy/README.md").write_bytes(b"upstream\n")
    other.run("add", "--all", "--force")

    assert pinned(patched).final_sha256 == final
    assert pinned(patched).base_sha256 == other.run("write-tree").text
    assert found(patched, prove=True) == []


def test_files_that_have_their_ids_but_not_their_sha_256_ids_are_one_finding(fork: Fork) -> None:
    forge(fork, pinned(fork)._replace(base_sha256=OTHER, final_sha256=OTHER))

    assert [(one.code, one.shown_path) for one in found(fork)] == [("PIN011", "mirror/gateway")]
    assert fork.codes() == []
    (fork.mirror / "ignored.pyc").write_bytes(b"")
    assert [one.code for one in found(fork)] == ["PIN011", "MIR006"]


def test_what_replaces_exchanged_files_keeps_no_file_that_was_there(fork: Fork) -> None:
    before = (fork.mirror / "README.md").stat().st_ino
    forge(fork, pinned(fork)._replace(base_sha256=OTHER, final_sha256=OTHER))
    (finding,) = found(fork)
    assert finding.fix == "python -m tools mirror sync v1.0.0 --discard"

    fork.sync("v1.0.0", discard=True)
    assert (fork.mirror / "README.md").stat().st_ino != before
    assert found(fork)[0].code == "MIR011"


def test_a_base_with_another_sha_256_id_is_not_proven(patched: Fork) -> None:
    forge(patched, pinned(patched)._replace(base_sha256=OTHER))

    assert [one.code for one in found(patched)] == []
    (finding,) = found(patched, prove=True)
    assert (finding.code, "by SHA-256 the files without patches make" in finding.message) == ("PIN003", True)


def test_every_tree_the_lock_names_on_the_way_is_proven(patched: Fork) -> None:
    pin = pinned(patched)
    first, last = pin.patches
    for forged, text in (
        (pin._replace(base_tree="a" * 40), "without p0.patch the files make tree"),
        (pin._replace(patches=(first._replace(tree_after="a" * 40), last)), "without p1.patch the files make tree"),
    ):
        forge(patched, forged)
        (finding,) = found(patched, prove=True)
        assert (finding.code, finding.message.startswith(text)) == ("PIN003", True)


def test_an_edit_whose_tree_was_put_into_the_lock_is_refuted_and_mended_by_the_advice(patched: Fork) -> None:
    pin = pinned(patched)
    (patched.mirror / "run.sh").write_bytes(b"#!/bin/sh\necho edited\n")
    patched.project.git.run("add", "--all", ".")
    patched.project.git.run("commit", "--quiet", "--message=edited", environment=WHO)
    tree = patched.project.git.run("rev-parse", "HEAD:mirror/gateway").text
    forged = pin._replace(final_tree=tree, patches=(pin.patches[0], pin.patches[1]._replace(tree_after=tree)))
    forge(patched, forged)
    assert patched.codes() == []
    assert [one.code for one in found(patched)] == ["PIN011"]

    forge(patched, forged._replace(base_sha256="", final_sha256="", fetched_from=""))
    refuted = [one for one in found(patched, prove=True) if one.code == "PIN003"]
    assert [one.fix for one in refuted] == ["python -m tools mirror sync v1.1.0"]
    patched.sync("v1.1.0")
    assert pinned(patched) == pin
    assert patched.codes(prove=True) == []


def test_a_lock_of_the_schema_before_is_noted_and_written_anew_by_the_next_synchronization(fork: Fork) -> None:
    whole = pinned(fork)
    forge(fork, whole._replace(base_sha256="", final_sha256="", fetched_from=""))

    (note,) = found(fork)
    assert (note.code, str(note.severity), note.fix) == ("PIN012", "note", "python -m tools mirror sync")
    fork.sync()
    assert pinned(fork) == whole
