from __future__ import annotations

import re

import pytest

from tests.tools.mirrorkeeper.patch.at_work import LINES, editing, go_on, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.declaration.declaration import read_declaration
from tools.mirrorkeeper.errors import Paused, ToolError
from tools.mirrorkeeper.mirror.workspace.edit_workspace import EditWorkspace
from tools.mirrorkeeper.patch.abort import abort_sync
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow


def test_a_patch_whose_context_moved_is_made_anew_and_the_synchronization_goes_on(
    fork: Fork, upstream: Upstream
) -> None:
    upstream.commit({"long.txt": b"new first\n" + LINES}, tag="v1.2.0")
    with pytest.raises(Paused) as caught:
        fork.sync("v1.2.0")
    assert "long.txt: this part applies, 1 line further down" in caught.value.details
    assert [line.strip() for line in caught.value.details if "python -m" in line] == [
        "python -m tools patch refresh",
        "python -m tools mirror sync --continue",
        "python -m tools mirror sync --abort",
    ]

    assert work(fork).refresh() == ("p0.patch",)
    go_on(fork)
    assert b"new first\nline 0\n" in (fork.mirror / "long.txt").read_bytes()
    assert b"LINE 20\n" in (fork.mirror / "long.txt").read_bytes()
    assert fork.codes(prove=True) == []
    assert not editing(fork, "").exists()


def test_a_conflict_shows_patch_file_upstream_commits_reason_and_the_next_commands(
    fork: Fork, upstream: Upstream
) -> None:
    upstream.commit({"lib/a.py": b"a = 3\n"}, message="Count to three")
    upstream.commit({"README.md": b"ours\n"}, tag="v1.2.0", message="Take their name")

    with pytest.raises(Paused) as caught:
        fork.sync("v1.2.0")

    short = [upstream.git.run("rev-parse", "--short", name).text for name in ("HEAD~1", "HEAD")]
    assert caught.value.text.startswith("patch 2/2 p1.patch does not apply")
    assert list(caught.value.details) == [
        "why it is there: we are called otherwise",
        "it may go when: they rename themselves",
        "README.md: the upstream has this part already",
        f"  upstream: {short[1]} Take their name",
        "lib/a.py: this part does not apply",
        f"  upstream: {short[0]} Count to three",
        "next:",
        "  python -m tools patch edit p1",
        "  python -m tools patch refresh",
        "  python -m tools mirror sync --continue",
        "  python -m tools mirror sync --abort",
    ]
    assert fork.codes(prove=True) == []


def test_a_file_the_upstream_renamed_is_named_in_the_conflict(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": None, "docs/long.txt": LINES}, tag="v1.2.0")

    with pytest.raises(Paused) as caught:
        fork.sync("v1.2.0")
    assert "long.txt: is not there any more; the upstream renamed it to docs/long.txt" in caught.value.details


def test_a_conflict_is_settled_in_a_folder_and_the_synchronization_goes_on(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"lib/a.py": b"a = 3\n"}, tag="v1.2.0")
    with pytest.raises(Paused):
        fork.sync("v1.2.0")
    work(fork).edit("p1", again=False)
    folder = editing(fork, "p1")
    assert b"<<<<<<< " in (folder / "lib/a.py").read_bytes()

    with pytest.raises(ToolError, match=r"not settled yet: lib/a\.py"):
        work(fork).refresh()
    (folder / "lib/a.py").write_bytes(b"a = 4\n")
    assert work(fork).refresh() == ("p1.patch",)
    go_on(fork)

    assert (fork.mirror / "lib/a.py").read_bytes() == b"a = 4\n"
    assert fork.codes(prove=True) == []
    with pytest.raises(ToolError, match="no synchronization is paused"):
        go_on(fork)


def test_the_marks_of_a_conflict_name_the_release_and_the_patch(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"lib/a.py": b"a = 3\n", "long.txt": LINES.replace(b"line 20\n", b"twenty\n")}, tag="v1.2.0")
    with pytest.raises(Paused):
        fork.sync("v1.2.0")
    work(fork).edit("p0", again=False)
    (long,) = re.findall(rb"(?ms)^<<<<<<<.*^>>>>>>>[^\n]*\n", (editing(fork, "p0") / "long.txt").read_bytes())
    assert long == b"<<<<<<< v1.2.0\ntwenty\n=======\nLINE 20\n>>>>>>> p0.patch\n"

    (editing(fork, "p0") / "long.txt").write_bytes(LINES.replace(b"line 20\n", b"both\n"))
    work(fork).edit("p1", again=False)
    marked = (editing(fork, "p1") / "lib/a.py").read_bytes()
    assert marked == b"<<<<<<< v1.2.0 after p0.patch\na = 3\n=======\na = 2\n>>>>>>> p1.patch\n"
    assert not list((editing(fork, "p1") / ".git").glob("merge-*"))


def test_parts_that_cannot_be_placed_are_left_beside_the_files(fork: Fork, upstream: Upstream) -> None:
    lines = LINES.replace(b"line 19\n", b"nineteen\n").replace(b"line 20\n", b"twenty\n")
    upstream.commit({"long.txt": lines}, tag="v1.2.0")
    path = fork.root / "patches/p0.patch"  # made for a blob that nobody has: nothing to merge with
    path.write_bytes(re.sub(rb"index [0-9a-f]{4}", b"index abcd", path.read_bytes()))
    with pytest.raises(Paused):
        fork.sync("v1.2.0")
    work(fork).edit("p0", again=False)
    folder = editing(fork, "p0")
    assert b"+LINE 20" in (folder / "long.txt.rej").read_bytes()
    assert (folder / "long.txt").read_bytes() == lines

    (folder / "long.txt").write_bytes(lines.replace(b"twenty\n", b"TWENTY\n"))
    with pytest.raises(ToolError, match=r"not settled yet: long\.txt\.rej$"):
        work(fork).refresh()
    (folder / "long.txt.rej").unlink()
    assert work(fork).refresh() == ("p0.patch",)
    go_on(fork)
    assert b"TWENTY\n" in (fork.mirror / "long.txt").read_bytes()
    assert not (fork.mirror / "long.txt.rej").exists()


def test_the_part_for_a_file_that_is_gone_is_left_where_the_file_was(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"lib/a.py": None}, tag="v1.2.0")
    with pytest.raises(Paused):
        fork.sync("v1.2.0")
    work(fork).edit("p1", again=False)
    left = editing(fork, "p1") / "lib/a.py.rej"
    assert b"+a = 2" in left.read_bytes()

    with pytest.raises(ToolError, match=r"not settled yet: lib/a\.py\.rej$"):
        work(fork).refresh()
    left.unlink()
    work(fork).refresh()
    go_on(fork)
    assert sorted(contents(fork.mirror)) == ["README.md", "long.txt", "run.sh", "src/app.py"]


def test_aborting_leaves_the_mirror_and_forgets_everything(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"lib/a.py": b"a = 3\n"}, tag="v1.2.0")
    before = contents(fork.root / "mirror/gateway")
    with pytest.raises(Paused):
        fork.sync("v1.2.0")
    work(fork).edit("p1", again=False)
    abort_sync(fork.project, DiskFiles(), fork.said.append)

    assert contents(fork.root / "mirror/gateway") == before
    assert not editing(fork, "").exists()
    assert fork.said[-1] == "gave up the synchronization to v1.2.0; the mirror is at v1.1.0, as before"


def test_a_dry_run_that_meets_a_conflict_pauses_nothing(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"lib/a.py": b"a = 3\n"}, tag="v1.2.0")
    with pytest.raises(Paused):
        fork.sync("v1.2.0", dry_run=True)

    assert EditWorkspace(fork.project, read_declaration(fork.project), DiskFiles()).paused() is None
