"""What a command shows, and how it ends, where console, summary or the tools themselves are not as they should be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.mirror.diagnosis import status
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.unexpected import TRACEBACK


def tool(fork: Fork, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools", "-C", str(fork.root), *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def test_names_the_console_cannot_show_come_out_escaped(fork: Fork) -> None:
    (fork.mirror / "ünï→").write_bytes(b"x")

    shown = tool(fork, "mirror", "verify", PYTHONIOENCODING="ascii")

    assert (shown.returncode, shown.stderr) == (1, "")
    assert r"mirror/gateway/\xfcn\xef\u2192: MIR006 is not in the pinned tree" in shown.stdout


def test_json_is_the_same_bytes_on_every_console(fork: Fork) -> None:
    (fork.mirror / "ünï→").write_bytes(b"x")

    ascii_only, all_signs = (
        tool(fork, "mirror", "verify", "--output-format", "json", PYTHONIOENCODING=name) for name in ("ascii", "utf-8")
    )

    assert ascii_only.stdout == all_signs.stdout
    assert json.loads(ascii_only.stdout)["findings"][0]["path"] == "mirror/gateway/ünï→"


def test_more_findings_than_are_shown_are_counted_on_a_console_without_the_dots(fork: Fork) -> None:
    for number in range(25):
        (fork.mirror / f"extra-{number:02}").write_bytes(b"x")

    shown = tool(fork, "mirror", "verify", PYTHONIOENCODING="latin-1")

    assert shown.returncode == 1
    assert r"\u2026 and 5 more MIR006" in shown.stdout


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `mirror status` meet an error that no part of the tools expects."""

    def broken(_project: Project) -> Iterator[str]:
        raise RecursionError("maximum recursion depth exceeded")

    monkeypatch.setattr(status, "status_lines", broken)


@pytest.mark.usefixtures("fault")
def test_a_fault_of_the_tools_is_one_line_with_status_2_and_not_findings(
    fork: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(fork.root), "mirror", "status"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert said[0].startswith("error: internal error: RecursionError: ")
    assert said[1].endswith(f"{TRACEBACK}=1 python -m tools -C {fork.root} mirror status")


@pytest.mark.usefixtures("fault")
def test_the_traceback_of_a_fault_is_there_for_who_asks(
    fork: Fork, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TRACEBACK, "1")

    assert main(["-C", str(fork.root), "mirror", "status"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_summary_that_cannot_be_written_is_said_and_the_check_counts(fork: Fork, tmp_path: Path) -> None:
    shown = tool(fork, "mirror", "verify", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(tmp_path / "no/summary.md"))

    assert shown.returncode == 0
    assert "note: the job's summary could not be written: No such file or directory" in shown.stderr


def test_a_file_that_may_not_be_written_is_told_with_what_mends_it(
    fork: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    (fork.root / "mirror/.gateway.sync").write_bytes(b"in the way")

    assert main(["-C", str(fork.root), "mirror", "sync", "--discard"]) == 2
    error, advice = capsys.readouterr().err.splitlines()
    assert error == "error: mirror/.gateway.sync is not a folder, and the mirror is worked on there"
    assert advice == "help: rm mirror/.gateway.sync"
