from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import LINES, REASONS, editing, order, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.errors import Paused, ToolError
from tools.mirrorkeeper.patch.head import Reasons
from tools.mirrorkeeper.patch.show import patch_lines, patch_text

pytestmark = pytest.mark.slow


def test_a_patch_is_made_in_a_folder_and_taken_into_series_and_mirror(fork: Fork) -> None:
    work(fork).new("name", REASONS, from_mirror=False)
    folder = editing(fork, "name")
    assert (folder / "README.md").read_bytes() == b"ours\n"
    (folder / "README.md").write_bytes(b"ours, renamed\n")
    (folder / "new.sh").write_bytes(b"#!/bin/sh\n")
    (folder / "new.sh").chmod(0o755)
    assert work(fork).refresh() == ("name.patch",)

    assert order(fork) == ("p0.patch", "p1.patch", "name.patch")
    assert not folder.exists()
    fork.sync()
    assert (fork.mirror / "README.md").read_bytes() == b"ours, renamed\n"
    assert (fork.mirror / "new.sh").stat().st_mode & 0o100
    assert fork.codes(prove=True) == []


def test_a_patch_is_made_from_changes_that_lie_in_the_mirror(fork: Fork) -> None:
    (fork.mirror / "run.sh").write_bytes(b"#!/bin/sh\nexit 0\n")
    (fork.mirror / "README.md").unlink()
    work(fork).new("quick", REASONS, from_mirror=True)
    assert fork.codes() != []

    fork.sync(discard=True)
    assert (fork.mirror / "run.sh").read_bytes() == b"#!/bin/sh\nexit 0\n"
    assert not (fork.mirror / "README.md").exists()
    assert fork.codes(prove=True) == []


def test_a_file_that_the_project_tracks_is_taken_though_git_ignores_its_name(fork: Fork) -> None:
    (fork.root / ".gitignore").write_text("*.log\n", encoding="utf-8")
    (fork.mirror / "kept.log").write_bytes(b"ours\n")
    (fork.mirror / "built.log").write_bytes(b"build output\n")
    fork.project.git.run("add", "--force", f"{fork.mirror}/kept.log")
    fork.commit()
    fork.sync(discard=True)  # the way of a copy whose changes become a patch
    fork.project.git.run("restore", "--source=HEAD", "--", str(fork.mirror))
    work(fork).new("quick", REASONS, from_mirror=True)
    text = (fork.root / "patches/quick.patch").read_text(encoding="utf-8")
    assert "kept.log" in text
    assert "built.log" not in text
    assert "quick.patch leaves out files that git ignores: built.log; git add --force takes one in" in fork.said

    fork.sync()
    fork.commit()
    assert b"kept.log" in fork.project.git.run("ls-files", "-z").stdout
    assert fork.codes(prove=True) == ["MIR010"]


def test_a_patch_without_a_reason_to_go_is_not_begun(fork: Fork) -> None:
    with pytest.raises(ToolError, match="does not say when it may go"):
        work(fork).new("name", Reasons("because"), from_mirror=False)
    assert not editing(fork, "name").exists()


def test_what_changes_nothing_is_no_patch(fork: Fork) -> None:
    with pytest.raises(ToolError, match="would change nothing"):
        work(fork).new("name", REASONS, from_mirror=True)
    assert order(fork) == ("p0.patch", "p1.patch")


def test_a_patch_that_is_exported_from_what_it_does_is_the_same_file(fork: Fork) -> None:
    before = contents(fork.root / "patches")

    assert work(fork).check().findings == ()
    assert work(fork).refresh() == ()
    assert contents(fork.root / "patches") == before


def test_a_patch_with_other_context_than_a_refresh_writes_is_stale(fork: Fork) -> None:
    path = fork.root / "patches/p0.patch"
    path.write_bytes(re.sub(rb"(?m)(^@@ .* @@).*$", rb"\1 something else", path.read_bytes()))

    assert [(one.code, one.shown_path) for one in work(fork).check().findings] == [("PAT003", "patches/p0.patch")]
    assert work(fork).refresh() == ("p0.patch",)
    assert work(fork).check().findings == ()


def test_dropping_a_patch_takes_its_change_out_of_the_mirror(fork: Fork) -> None:
    assert work(fork).drop("p0") == "p0.patch"
    assert order(fork) == ("p1.patch",)
    assert fork.codes() == ["PIN002"]

    fork.sync()
    assert (fork.mirror / "long.txt").read_bytes() == LINES
    assert fork.codes(prove=True) == []


def test_the_order_can_be_changed_and_the_result_is_the_same_tree(fork: Fork) -> None:
    before = contents(fork.mirror)
    work(fork).reorder(["p1", "p0"])
    fork.sync()

    assert order(fork) == ("p1.patch", "p0.patch")
    assert contents(fork.mirror) == before
    with pytest.raises(ToolError, match="every patch once"):
        work(fork).reorder(["p1"])


def test_an_order_in_which_a_patch_lacks_what_it_builds_on_changes_nothing(tmp_path: Path, upstream: Upstream) -> None:
    first = diff(upstream, {"new.txt": b"1\n"})
    upstream.commit({"new.txt": b"1\n"}, message="for the second patch")
    second = diff(upstream, {"new.txt": b"2\n"})
    upstream.git.run("reset", "--quiet", "--hard", "v1.1.0")
    fork = patched_fork(tmp_path / "fork", upstream, first, second)
    fork.sync()
    before = contents(fork.root)

    with pytest.raises(Paused):
        work(fork).reorder(["p1", "p0"])
    assert contents(fork.root) == before


def test_an_unknown_patch_is_told_with_the_nearest(fork: Fork) -> None:
    with pytest.raises(ToolError, match=r"no patch p00\.patch") as caught:
        work(fork).drop("p00")
    assert caught.value.advice == "did you mean p0.patch?"


def test_the_list_says_of_each_patch_why_it_is_there_and_what_it_touches(fork: Fork) -> None:
    lines = list(patch_lines(fork.project))

    assert lines[0] == "1/2 p0.patch: in the mirror"
    assert "  Why: we are called otherwise" in lines
    assert lines[-1] == "  touches: README.md, lib/a.py"
    assert patch_text(fork.project, "p1").endswith("+a = 2\n")


def test_a_file_with_its_own_line_ending_attributes_is_edited_byte_for_byte(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({".gitattributes": b"*.bat text eol=crlf\n", "a.bat": b"one\ntwo\n"}, tag="v1.2.0")
    fork.sync("v1.2.0")
    work(fork).new("bat", REASONS, from_mirror=False)
    folder = editing(fork, "bat")
    assert (folder / "a.bat").read_bytes() == b"one\ntwo\n"
    (folder / "a.bat").write_bytes(b"one\r\ntwo\n")
    work(fork).refresh()
    fork.sync()

    assert (fork.mirror / "a.bat").read_bytes() == b"one\r\ntwo\n"
    assert fork.codes(prove=True) == []


def test_a_patch_may_turn_a_file_into_a_link(fork: Fork) -> None:
    (fork.mirror / "README.md").unlink()
    (fork.mirror / "README.md").symlink_to("run.sh")
    work(fork).new("link", REASONS, from_mirror=True)
    fork.sync(discard=True)

    assert (fork.mirror / "README.md").is_symlink()
    assert fork.codes(prove=True) == []


def test_what_was_taken_from_the_mirror_needs_no_discard_and_other_changes_still_do(fork: Fork) -> None:
    (fork.mirror / "run.sh").write_bytes(b"#!/bin/sh\nexit 1\n")
    (fork.mirror / "lib/a.py").unlink()
    assert work(fork).new("exit", REASONS, from_mirror=True) == ("exit.patch",)
    (fork.mirror / "README.md").write_bytes(b"later\n")

    with pytest.raises(ToolError, match=r"changes of its own: mirror/gateway/README\.md \(MIR001\)$"):
        fork.sync()
    fork.project.git.run("restore", "mirror/gateway/README.md")
    assert work(fork).refresh() == ()
    fork.sync()
    assert not (fork.mirror / "lib/a.py").exists()
    assert fork.codes(prove=True) == []
