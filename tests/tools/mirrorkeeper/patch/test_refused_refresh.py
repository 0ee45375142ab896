"""`mirror sync --refresh` that is refused, or that an open edit stops: what is said is true, and leads on."""

from __future__ import annotations

import shlex

import pytest

from tests.tools.mirrorkeeper.patch.at_work import LINES, editing
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.tool_name import TOOL

pytestmark = pytest.mark.slow


def run(fork: Fork, *words: str) -> int:
    return main(["-C", str(fork.root), *words])


def next_commands(errors: str) -> list[list[str]]:
    lines = [line.strip() for line in errors.splitlines()]
    commands = lines[lines.index("next:") + 1 :]
    return [shlex.split(line.removeprefix(TOOL)) for line in commands if line.startswith(TOOL)]


@pytest.fixture
def moved(fork: Fork, upstream: Upstream) -> Fork:
    """A project whose next release moves the lines of a patch."""
    upstream.commit({"long.txt": b"new first\n" + LINES}, tag="v1.2.0")
    return fork


@pytest.mark.parametrize("change", [b"a = 2\n", b"a = 5\n"], ids=["unchanged", "changed"])
def test_an_open_edit_is_named_first_and_the_commands_shown_lead_on(
    moved: Fork, capsys: pytest.CaptureFixture[str], change: bytes
) -> None:
    assert run(moved, "patch", "edit", "p1") == 0
    (editing(moved, "p1") / "lib/a.py").write_bytes(change)
    before = contents(moved.root / "patches")
    capsys.readouterr()

    assert run(moved, "mirror", "sync", "v1.2.0", "--refresh") == 3
    errors = capsys.readouterr().err
    assert f"an edit is open, and is never taken in: p1.patch in {editing(moved, 'p1')}" in errors
    assert contents(moved.root / "patches") == before
    for words in next_commands(errors):
        assert run(moved, *words) == 0, words
    assert (moved.mirror / "lib/a.py").read_bytes() == change
    assert (moved.mirror / "long.txt").read_bytes().startswith(b"new first\n")
    assert moved.codes(prove=True) == []


def finish(moved: Fork, capsys: pytest.CaptureFixture[str], most: int | None) -> None:
    """Run the commands that a refused refresh shows, but those that give it up, and prove the mirror."""
    capsys.readouterr()
    assert run(moved, "mirror", "sync", "v1.2.0", "--refresh") == 3
    for words in [words for words in next_commands(capsys.readouterr().err) if "--abort" not in words][:most]:
        assert run(moved, *words) == 0, words
    assert moved.codes(prove=True) == []


def test_an_older_edit_of_a_paused_synchronization_is_opened_anew(
    moved: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(moved, "patch", "edit", "p1") == 0
    assert run(moved, "mirror", "sync", "v1.2.0") == 3

    finish(moved, capsys, None)


def test_an_edit_for_the_paused_release_is_finished_by_the_commands_shown(
    moved: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(moved, "mirror", "sync", "v1.2.0") == 3
    assert run(moved, "patch", "edit", "p1") == 0

    finish(moved, capsys, 2)


@pytest.mark.parametrize("wanted", ["nope", "v1.2.0"])
def test_a_refused_synchronization_was_not_interrupted(
    moved: Fork, capsys: pytest.CaptureFixture[str], wanted: str
) -> None:
    (moved.mirror / "README.md").write_bytes(b"local\n")
    capsys.readouterr()

    assert run(moved, "mirror", "sync", wanted, "--refresh") == 2
    errors = capsys.readouterr().err
    assert errors.startswith("error: ")
    assert "interrupted" not in errors
    assert "undone" not in errors


def test_another_paused_synchronization_was_not_interrupted(moved: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(moved, "mirror", "sync", "v1.2.0") == 3
    capsys.readouterr()

    assert run(moved, "mirror", "sync", "v1.0.0", "--refresh") == 2
    assert capsys.readouterr().err.startswith("error: a synchronization to v1.2.0 is paused")
    assert run(moved, "mirror", "sync", "--abort") == 0


def test_a_dry_run_with_refresh_names_the_command_that_tries_the_patches(
    fork: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(fork, "mirror", "sync", "--dry-run", "--refresh") == 2
    assert f"help: {TOOL} mirror outdated --forward tries the patches" in capsys.readouterr().err
