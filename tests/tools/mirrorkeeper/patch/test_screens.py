"""What a person is told of a patch that stopped: which parts still apply and where, which are upstream already."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import LINES
from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.errors import Paused
from tools.mirrorkeeper.lockfile.pin import read_pin

pytestmark = pytest.mark.slow


def stopped(fork: Fork, wanted: str) -> Paused:
    with pytest.raises(Paused) as caught:
        fork.sync(wanted)
    return caught.value


def replaced(*lines: int) -> bytes:
    text = LINES
    for line in lines:
        text = text.replace(b"line %d\n" % line, b"LINE %d\n" % line)
    return text


@pytest.fixture
def three(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project at v1.1.0 with a patch that has three parts in one file."""
    made = patched_fork(tmp_path / "three", upstream, diff(upstream, {"long.txt": replaced(5, 15, 25)}))
    made.sync("v1.1.0")
    return made


def test_of_each_part_of_a_file_it_is_told_whether_it_remains(three: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": b"new first\n" + replaced(5).replace(b"line 15\n", b"fifteen\n")}, tag="v1.2.0")

    assert list(stopped(three, "v1.2.0").details)[2:6] == [
        "long.txt: this part does not apply",
        "  lines 3-9: is upstream already",
        "  lines 13-19: does not apply",
        "  lines 23-29: applies, 1 line further down",
    ]


def test_parts_that_fare_alike_are_told_together(three: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": replaced(5, 15)}, tag="v1.2.0")

    assert list(stopped(three, "v1.2.0").details)[2:5] == [
        "long.txt: this part does not apply",
        "  lines 3-9, lines 13-19: is upstream already",
        "  lines 23-29: applies",
    ]


@pytest.mark.parametrize(
    ("body", "shift"),
    [(b"new\nlines\n" + LINES, "2 lines further down"), (LINES.partition(b"\n")[2], "1 line higher up")],
)
def test_a_patch_whose_lines_moved_is_told_how_far_and_what_makes_it_anew(
    fork: Fork, upstream: Upstream, body: bytes, shift: str
) -> None:
    old = upstream.git.run("rev-parse", "v1.1.0:long.txt").text
    upstream.commit({"long.txt": body}, tag="v1.2.0")
    new = upstream.git.run("rev-parse", "v1.2.0:long.txt").text
    said = stopped(fork, "v1.2.0")

    assert said.text == (
        f"patch 1/2 p0.patch: long.txt is not the file it was made for (blob {old[:12]}; here it is {new[:12]})"
    )
    assert f"long.txt: this part applies, {shift}" in said.details
    assert "  python -m tools patch refresh" in said.details


def test_a_patch_edited_by_hand_is_told_from_one_made_for_another_file(fork: Fork) -> None:
    path = fork.root / "patches/p0.patch"
    path.write_bytes(path.read_bytes().replace(b"+LINE 20", b"+LINE TWENTY"))
    pin = read_pin(fork.project)
    assert pin is not None

    assert "long.txt does not become blob " in stopped(fork, pin.name).text


def test_a_renamed_file_is_found_by_what_is_in_it_when_the_old_release_is_gone(fork: Fork, upstream: Upstream) -> None:
    git = upstream.git
    git.run("checkout", "--quiet", "--orphan", "fresh")
    git.run("mv", "long.txt", "lengthy.txt")
    upstream.commit({"lengthy.txt": LINES.replace(b"line 3\n", b"three\n")}, tag="v1.2.0", message="start anew")
    git.run("tag", "--delete", "v1.0.0", "v1.1.0")
    git.run("branch", "--quiet", "-D", "main")
    git.run("reflog", "expire", "--expire=now", "--all")
    git.run("gc", "--quiet", "--prune=now")

    said = stopped(fork, "v1.2.0")
    assert "long.txt: is not there any more; the upstream renamed it to lengthy.txt" in said.details
