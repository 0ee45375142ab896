"""One screen about the mirror, whatever state it is in."""

from __future__ import annotations

import subprocess

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.mirror.diagnosis.status import status_lines

pytestmark = pytest.mark.slow


def shown(fork: Fork, capsys: pytest.CaptureFixture[str], status: int = 0) -> str:
    assert main(["-C", str(fork.root), "mirror", "status"]) == status
    return capsys.readouterr().out


def test_a_lock_with_conflict_markers_is_a_line_of_the_status(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    lock = fork.project.lock_path
    lock.write_bytes(b"<<<<<<< ours\n" + lock.read_bytes())

    text = shown(fork, capsys)

    assert "pin: mirror/upstream.lock has conflict markers (settle the merge" in text
    assert text.startswith("upstream: ../upstream, v*\n")


def test_a_damaged_record_of_what_is_paused_is_a_line_of_the_status(
    fork: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = fork.root / "mirror/.gateway.edit"
    workspace.mkdir()
    (workspace / "paused.json").write_bytes(b"{")

    text = shown(fork, capsys)

    assert "paused.json is not a record of these tools (`mirror sync --abort` removes it)" in text
    assert "mirror: mirror/gateway: clean" in text


def test_a_synchronization_nobody_can_settle_is_a_line_of_the_status_with_its_way_out(
    fork: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    fork.transaction.mkdir()
    (fork.transaction / "journal.json").write_bytes(b"garbage")

    text = shown(fork, capsys, 1)

    assert text.startswith("unfinished: ")
    assert f"rm -r {fork.transaction} && python -m tools mirror sync --discard" in text
    assert "mirror: mirror/gateway: clean" in text


def test_the_way_out_of_a_damaged_journal_leads_out(
    fork: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    fork.transaction.mkdir()
    (fork.transaction / "journal.json").write_bytes(b"garbage")
    fork.mirror.rename(fork.transaction / "old")
    assert main(["-C", str(fork.root), "mirror", "verify"]) == 2
    removal, command = capsys.readouterr().err.splitlines()[1].removeprefix("help: ").split(" && python -m tools ")

    subprocess.run(["sh", "-c", removal], check=True)

    assert main(["-C", str(fork.root), *command.split()]) == 0
    assert fork.codes(prove=True) == []
    assert (fork.mirror / "README.md").read_bytes() == b"upstream\n"


def test_empty_folders_are_named_the_outer_one_for_all_in_it(fork: Fork) -> None:
    (fork.mirror / "src/empty/inner").mkdir(parents=True)
    (fork.mirror / "src/link").symlink_to("empty")
    (fork.mirror / "more").mkdir()

    lines = [line for line in status_lines(fork.project) if line.startswith("empty")]

    assert lines == [
        "empty folder, which git does not keep: mirror/gateway/more",
        "empty folder, which git does not keep: mirror/gateway/src/empty",
    ]
