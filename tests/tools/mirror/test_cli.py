"""The command line: commands, statuses, errors with their next step."""

from __future__ import annotations

import json

import pytest

from tests.tools.mirror.project import Fork
from tools.mirror.cli import COMMANDS, main


def run(fork: Fork, *words: str) -> int:
    return main(["-C", str(fork.root), *words])


def test_a_clean_mirror_is_status_0_and_a_finding_status_1(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(fork, "mirror", "verify") == 0
    (fork.root / "mirror/gateway/a.txt").write_bytes(b"x")
    assert run(fork, "mirror", "verify", "--output-format", "json") == 1
    report = json.loads(capsys.readouterr().out.partition("{")[2].join(["{", ""]))
    assert report["findings"][0]["code"] == "MIR001"


def test_an_error_is_a_line_and_its_next_step_with_status_2(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(fork, "mirror", "sync", "v9") == 2
    assert (
        capsys.readouterr().err
        == "error: the upstream has no release v9\nhelp: the newest are v1.4.0, v1.3.0, v1.2.0, v1.1.0, v1.0.0\n"
    )


def test_a_patch_that_does_not_apply_is_status_3(fork: Fork) -> None:
    assert run(fork, "mirror", "sync", "v1.2.0", "--refresh") == 3
    assert run(fork, "mirror", "sync", "--continue") == 2
    assert run(fork, "mirror", "status") == 0
    assert run(fork, "mirror", "sync", "--abort") == 0


def test_the_work_of_a_maintainer_goes_through_the_commands(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(fork, "mirror", "outdated") == 0
    assert run(fork, "mirror", "outdated", "--forward", "--limit", "1") == 0
    assert run(fork, "mirror", "diff", "--style", "name-status") == 0
    assert run(fork, "patch", "list") == 0
    assert run(fork, "patch", "new", "x", "--why", "a", "--drop-when", "b") == 0
    assert run(fork, "mirror", "sync", "--abort") == 0
    assert run(fork, "patch", "edit", "4-fourth.patch") == 0
    assert run(fork, "patch", "refresh") == 0
    assert run(fork, "patch", "drop", "4-fourth.patch") == 0
    assert run(fork, "patch", "import", str(fork.root / "nowhere")) == 2
    assert run(fork, "upstream", "open", str(fork.root / "work")) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_an_unknown_command_or_option_is_status_2(fork: Fork) -> None:
    assert run(fork, "nothing") == 2
    assert run(fork, "mirror", "sync", "v1.1.0", "--abort") == 2
    assert main(["-C", "/nowhere/at/all", "gates"]) == 2


def test_each_command_can_be_loaded() -> None:
    for summary, load in COMMANDS.values():
        assert summary.endswith(".")
        assert load().name
