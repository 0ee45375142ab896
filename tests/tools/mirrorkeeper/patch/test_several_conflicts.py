"""Patches that conflict in the same release: none of them waits for the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import editing, go_on, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import Paused, ToolError

pytestmark = pytest.mark.slow

NAMES = ("a.txt", "b.txt", "c.txt")


@pytest.fixture(params=[2, 3])
def count(request: pytest.FixtureRequest) -> int:
    """How many patches conflict."""
    return int(request.param)


@pytest.fixture
def stopped(tmp_path: Path, upstream: Upstream, count: int) -> Fork:
    """A project whose patches, one a file, all conflict with the release it was paused on."""
    names = NAMES[:count]
    upstream.commit(dict.fromkeys(names, b"old\n"), tag="v2.0.0")
    fork = patched_fork(tmp_path / "fork", upstream, *(diff(upstream, {name: b"ours\n"}) for name in names))
    fork.sync("v2.0.0")
    fork.commit()
    upstream.commit(dict.fromkeys(names, b"theirs\n"), tag="v2.1.0", message="Change them all")
    with pytest.raises(Paused) as caught:
        fork.sync("v2.1.0")
    fork.said = [caught.value.text, *caught.value.details]
    return fork


def settle(fork: Fork, at: int) -> None:
    (editing(fork, f"p{at}") / NAMES[at]).write_bytes(b"both\n")


def assert_settled(fork: Fork, count: int) -> None:
    go_on(fork)
    assert [(fork.mirror / name).read_bytes() for name in NAMES[:count]] == [b"both\n"] * count
    assert fork.codes(prove=True) == []
    assert not editing(fork, "").exists()


def test_the_first_screen_shows_every_patch_that_stops_and_the_commands_for_all(stopped: Fork, count: int) -> None:
    for at in range(count):
        assert sum(f"patch {at + 1}/{count} p{at}.patch does not apply" in line for line in stopped.said) == 1
        assert f"{NAMES[at]}: this part does not apply" in stopped.said
    assert sum("Change them all" in line for line in stopped.said) == count
    edits = [line.strip().removeprefix("python -m tools ") for line in stopped.said if line.startswith("  python")]
    between = [command for at in range(count) for command in (f"patch edit p{at}", f"patch refresh p{at}")]
    assert edits == [*between[:-1], "patch refresh", "mirror sync --continue", "mirror sync --abort"]


def test_they_are_settled_one_after_the_other_by_the_commands_shown(
    stopped: Fork, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in [line.strip() for line in stopped.said if line.startswith("  python") and "--abort" not in line]:
        arguments = line.split()[3:]
        assert main(["-C", str(stopped.root), *arguments]) == 0, capsys.readouterr().err
        if arguments[1] == "edit":
            settle(stopped, int(arguments[2].removeprefix("p")))
    assert [(stopped.mirror / name).read_bytes() for name in NAMES[:count]] == [b"both\n"] * count
    assert stopped.codes(prove=True) == []


def test_each_command_names_the_patch_that_stops_next_and_the_status_names_all(
    stopped: Fork, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        assert main(["-C", str(stopped.root), *words]) == 0
        output = capsys.readouterr()
        return output.out + output.err

    names = ", ".join(f"p{at}.patch" for at in range(count))
    assert f"paused: synchronization to v2.1.0, at {names};" in said("mirror", "status")
    for at in range(count - 1):
        said("patch", "edit", f"p{at}")
        settle(stopped, at)
        shown = said("patch", "refresh", f"p{at}")
        assert shown.splitlines()[-1] == f"next: python -m tools patch edit p{at + 1}"
    assert said("patch", "drop", f"p{count - 1}").splitlines()[-1] == "next: python -m tools mirror sync --continue"


def test_they_are_settled_with_all_edits_open_at_once(stopped: Fork, count: int) -> None:
    for at in range(count):
        work(stopped).edit(f"p{at}", again=False)
        settle(stopped, at)
    assert work(stopped).refresh() == tuple(f"p{at}.patch" for at in range(count))
    assert_settled(stopped, count)


def test_an_edit_of_other_files_does_not_wait_for_one_that_is_not_settled(stopped: Fork, count: int) -> None:
    work(stopped).edit("p0", again=False)
    for at in range(1, count):
        work(stopped).edit(f"p{at}", again=False)
        settle(stopped, at)
    without = [line for line in stopped.said if line.startswith("left out here: ")]
    assert without[0] == "left out here: p0.patch (not settled yet; other files than p1.patch)"
    settle(stopped, 0)
    assert work(stopped).refresh() == tuple(f"p{at}.patch" for at in range(count))
    assert_settled(stopped, count)


def test_the_last_patch_is_edited_first_and_the_patches_keep_their_numbers(stopped: Fork, count: int) -> None:
    last = count - 1
    work(stopped).edit(f"p{last}", again=False)
    settle(stopped, last)
    with pytest.raises(Paused) as caught:
        work(stopped).refresh("p0")
    assert caught.value.text.startswith(f"patch 1/{count} p0.patch does not apply")
    assert caught.value.advice == f"nothing was written; settled, and still open: p{last}.patch"
    for at in range(last):
        work(stopped).edit(f"p{at}", again=False)
        settle(stopped, at)
    work(stopped).refresh()
    assert_settled(stopped, count)


def test_a_refusal_to_refresh_leads_to_the_command_that_writes_what_is_settled(stopped: Fork, count: int) -> None:
    work(stopped).edit("p0", again=False)
    settle(stopped, 0)
    with pytest.raises(Paused) as caught:
        work(stopped).refresh()
    assert caught.value.text.startswith(f"patch 2/{count} p1.patch does not apply")
    assert caught.value.advice == "nothing was written; settled, and still open: p0.patch"
    onward = caught.value.details[caught.value.details.index("next:") :]
    assert onward[1:3] == ("  python -m tools patch refresh p0", "  python -m tools patch edit p1")
    assert work(stopped).refresh("p0") == ("p0.patch",)


def test_a_settled_patch_is_written_while_one_of_other_files_before_it_waits(
    stopped: Fork, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    last = count - 1
    work(stopped).edit(f"p{last}", again=False)
    settle(stopped, last)
    with pytest.raises(Paused) as caught:
        work(stopped).refresh()
    onward = caught.value.details[caught.value.details.index("next:") :]
    assert onward[1] == f"  python -m tools patch refresh p{last}"
    work(stopped).edit("p0", again=False)
    capsys.readouterr()

    assert main(["-C", str(stopped.root), "patch", "refresh", f"p{last}"]) == 0
    assert f"written: p{last}.patch\nstill open: p0.patch\n" in capsys.readouterr().err
    for at in range(last):
        if at:
            work(stopped).edit(f"p{at}", again=False)
        settle(stopped, at)
    work(stopped).refresh()
    assert_settled(stopped, count)


def test_a_refusal_to_refresh_shows_the_patches_that_are_left_with_their_hunks_and_upstream_commits(
    stopped: Fork, count: int
) -> None:
    work(stopped).edit("p0", again=False)
    settle(stopped, 0)
    with pytest.raises(Paused) as caught:
        work(stopped).refresh()
    said = [caught.value.text, *caught.value.details]
    assert not any("p0.patch" in line for line in said)
    assert sum("does not apply: error" in line or "does not apply: " in line for line in said) == count - 1
    assert sum("Change them all" in line for line in said) == count - 1
    assert f"  python -m tools patch edit p{count - 1}" in said


def test_refreshing_one_leaves_the_edits_of_the_following_ones_open(stopped: Fork) -> None:
    for at in (0, 1):
        work(stopped).edit(f"p{at}", again=False)
        settle(stopped, at)
    assert work(stopped).refresh("p0") == ("p0.patch",)
    assert not editing(stopped, "p0").exists()
    assert editing(stopped, "p1").exists()


def test_refreshing_a_patch_that_is_not_listed_is_refused(stopped: Fork) -> None:
    with pytest.raises(ToolError, match=r"no patch p9\.patch is listed"):
        work(stopped).refresh("p9")


def test_a_patch_that_stands_on_a_conflicting_one_is_said_to_be_tried_without_it(
    tmp_path: Path, upstream: Upstream
) -> None:
    upstream.commit({"a.txt": b"old\n"}, tag="v2.0.0")
    first = diff(upstream, {"a.txt": b"ours\n"})
    upstream.commit({"a.txt": b"ours\n"})
    second = diff(upstream, {"a.txt": b"ours too\n"})
    upstream.git.run("reset", "--quiet", "--hard", "v2.0.0")
    fork = patched_fork(tmp_path / "stacked", upstream, first, second)
    fork.sync("v2.0.0")
    fork.commit()
    upstream.commit({"a.txt": b"theirs\n"}, tag="v2.1.0")
    with pytest.raises(Paused) as caught:
        fork.sync("v2.1.0")
    assert "tried without p0.patch, which stops above" in caught.value.details


@pytest.fixture
def stacked(tmp_path: Path, upstream: Upstream) -> Fork:
    """Two patches on one file, whose lines both conflict with the release the project was paused on."""
    lines = [b"line %d\n" % number for number in range(40)]

    def file(**changed: bytes) -> bytes:
        return b"".join(changed.get(f"at{number}", line) for number, line in enumerate(lines))

    upstream.commit({"a.txt": file()}, tag="v2.0.0")
    first = diff(upstream, {"a.txt": file(at3=b"ours\n")})
    upstream.commit({"a.txt": file(at3=b"ours\n")})
    second = diff(upstream, {"a.txt": file(at3=b"ours\n", at30=b"ours too\n")})
    upstream.git.run("reset", "--quiet", "--hard", "v2.0.0")
    fork = patched_fork(tmp_path / "stacked", upstream, first, second)
    fork.sync("v2.0.0")
    fork.commit()
    upstream.commit({"a.txt": file(at3=b"theirs\n", at30=b"theirs too\n")}, tag="v2.1.0")
    with pytest.raises(Paused):
        fork.sync("v2.1.0")
    return fork


def test_the_second_patch_of_a_file_has_its_conflict_marked_too(stacked: Fork) -> None:
    work(stacked).edit("p0", again=False)
    file = editing(stacked, "p0") / "a.txt"
    file.write_bytes(re.sub(rb"<<<<<<<.*>>>>>>> [^\n]*\n", b"both\n", file.read_bytes(), flags=re.DOTALL))
    work(stacked).refresh("p0")

    work(stacked).edit("p1", again=False)

    file = editing(stacked, "p1") / "a.txt"
    marked = file.read_bytes()
    assert marked.count(b"<<<<<<< v2.1.0 after p0.patch\ntheirs too\n") == 1
    assert marked.count(b"ours too\n>>>>>>> p1.patch\n") == 1
    assert b"both\n" in marked
    assert not list(file.parent.glob("*.rej"))


def test_an_edit_before_that_is_not_settled_is_named(stacked: Fork) -> None:
    work(stacked).edit("p0", again=False)
    with pytest.raises(ToolError, match=r"p0\.patch: not settled yet: a\.txt"):
        work(stacked).edit("p1", again=False)
