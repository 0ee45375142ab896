"""Patches that are refused as they are, each with the reason that is true and an advice that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tests.tools.mirrorkeeper.series.test_series import HEAD, diff, patched_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import Paused, ToolError

pytestmark = pytest.mark.slow

BLOB = "ce013625030ba8dba906f756967f9e9ca394464a"  # "hello"
EMPTY = "0" * 40


def adding(name: str, content: str = "hello", blob: str = BLOB, mode: str = "100644") -> str:
    """A patch that adds one file."""
    tail = "" if mode == "100644" else "\\ No newline at end of file\n"
    return (
        f"{HEAD}\ndiff --git a/{name} b/{name}\nnew file mode {mode}\nindex {EMPTY}..{blob}\n"
        f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+{content}\n{tail}"
    )


def refused(fork: Fork, wanted: str | None = None) -> ToolError:
    """What a synchronization answers that has to be refused, and not merely paused; nothing is written."""
    before = contents(fork.mirror)
    with pytest.raises(ToolError) as caught:
        fork.sync(wanted)
    assert not isinstance(caught.value, Paused)
    assert contents(fork.mirror) == before
    return caught.value


@pytest.mark.parametrize("name", ["../../evil", ".git/config", "a/../../evil", "src/.GIT/hooks/x", "src/./x"])
def test_a_patch_to_a_path_no_tree_may_have_is_refused(tmp_path: Path, upstream: Upstream, name: str) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, adding(name))

    error = refused(fork)
    assert error.text == f"the patch p0.patch touches {name}, a path that no mirrored tree may have"
    assert error.advice == "take that part out of patches/p0.patch"
    assert not (tmp_path / "evil").exists()


def test_a_patch_of_a_file_that_is_left_out_since_is_told_so(tmp_path: Path, upstream: Upstream) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    fork.sync()
    path = fork.project.declaration_path
    path.write_text(path.read_text(encoding="utf-8").replace("exclude = []", 'exclude = ["README.md"]'), "utf-8")

    error = refused(fork)
    assert error.text == "the patch p0.patch touches README.md, which is not mirrored"
    assert error.advice == "exclude less, or take that part out: python -m tools patch edit p0"


def test_the_part_of_a_file_that_is_left_out_since_is_taken_out_by_the_command_that_is_named(
    tmp_path: Path, upstream: Upstream
) -> None:
    files: dict[str, bytes | None] = {"README.md": b"ours\n", "run.sh": b"#!/bin/sh\nexit 1\n"}
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, files))
    fork.sync()
    path = fork.project.declaration_path
    path.write_text(path.read_text(encoding="utf-8").replace("exclude = []", 'exclude = ["README.md"]'), "utf-8")
    command = refused(fork).advice.rpartition("python -m tools ")[2]

    assert main(["-C", str(fork.root), *command.split()]) == 0
    (fork.root / "mirror/.gateway.edit/p0/README.md.rej").unlink()
    assert main(["-C", str(fork.root), "patch", "refresh"]) == 0
    fork.sync()
    assert sorted(contents(fork.mirror)) == ["run.sh", "src/app.py"]
    assert fork.codes(prove=True) == []


def test_a_patch_written_as_a_rename_is_refused_with_how_to_write_it(tmp_path: Path, upstream: Upstream) -> None:
    upstream.git.run("mv", "README.md", "R.md")
    text = upstream.git.run("diff", "--cached", "-M", "--full-index").stdout.decode()
    upstream.git.run("reset", "--quiet", "--hard")
    assert "rename from" in text

    error = refused(patched_fork(tmp_path / "fork", upstream, f"{HEAD}\n{text}"))
    assert error.text == "p0.patch renames or copies a file, and so does not name the blobs it was made for"
    assert "git diff --no-renames --full-index --binary" in error.advice


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (adding("passwd", "/etc/passwd", "3594e94c04db171e2767224db355f514b13715c5", "120000"), "'/etc/passwd'"),
        (adding("readme.MD"), "cannot stand beside"),
    ],
)
def test_what_is_hostile_in_a_patch_is_not_put_down_to_the_upstream(
    tmp_path: Path, upstream: Upstream, made: str, reason: str
) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"run.sh": b"#!/bin/sh\nexit 1\n"}), made)

    error = refused(fork)
    assert error.text.startswith("the patch p1.patch is refused: ")
    assert reason in error.text
    assert error.advice.startswith("take that out of patches/p1.patch")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("diff --git a/README.md b/README.md\ngarbage\n", "No valid patches in input"),
        ("diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n", "corrupt patch"),
    ],
)
def test_what_git_cannot_read_is_refused_and_not_taken_for_a_conflict(
    tmp_path: Path, upstream: Upstream, body: str, reason: str
) -> None:
    error = refused(patched_fork(tmp_path / "fork", upstream, f"{HEAD}\n{body}"))

    assert error.text.startswith(f"p0.patch cannot be read as a patch: {reason}")
    assert "--allow-empty" not in error.text
    assert error.advice.startswith("write it with `git diff")


def test_a_part_that_is_not_in_gits_own_format_is_refused(tmp_path: Path, upstream: Upstream) -> None:
    text = (
        diff(upstream, {"README.md": b"ours\n"}) + "--- a/run.sh\n+++ b/run.sh\n@@ -1 +1 @@\n-#!/bin/sh\n+#!/bin/no\n"
    )

    assert "not in git's own format" in refused(patched_fork(tmp_path / "fork", upstream, text)).text


def test_carriage_returns_in_the_difference_alone_are_told_as_in_the_whole_file(
    tmp_path: Path, upstream: Upstream
) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    path = fork.root / "patches/p0.patch"
    head, mark, body = path.read_bytes().partition(b"diff --git ")
    path.write_bytes(head + mark + body.replace(b"\n", b"\r\n"))

    assert refused(fork).text == "p0.patch has CRLF line endings"


def test_a_patch_of_a_file_that_has_carriage_returns_itself_is_fine(tmp_path: Path, upstream: Upstream) -> None:
    upstream.commit({"dos.txt": b"a\r\nb\r\n"}, tag="v1.1.0")
    fork = patched_fork(tmp_path / "fork", upstream)
    (fork.root / "patches/p0.patch").write_bytes(diff(upstream, {"dos.txt": b"a\r\nc\r\n"}).encode())
    text = fork.project.declaration_path.read_text(encoding="utf-8")
    fork.project.declaration_path.write_text(text.replace("order = []", 'order = ["p0.patch"]'), encoding="utf-8")
    fork.sync("v1.1.0")

    assert (fork.mirror / "dos.txt").read_bytes() == b"a\r\nc\r\n"


def test_a_patch_reaching_beyond_a_link_stops_with_git_s_reason(tmp_path: Path, upstream: Upstream) -> None:
    (upstream.folder / "link").symlink_to("src")
    upstream.commit({}, tag="v1.1.0")
    fork = patched_fork(tmp_path / "fork", upstream, adding("link/new"))

    with pytest.raises(Paused, match=r"link/new.* is beyond a symbolic link"):
        fork.sync("v1.1.0")
    assert not fork.mirror.exists()
