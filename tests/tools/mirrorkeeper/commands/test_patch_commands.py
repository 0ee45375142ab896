"""The patch commands as a person types them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main

pytestmark = pytest.mark.slow

ASKED = ("--why", "our name", "--forwarded", "no")


@pytest.fixture
def patched(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project with two patches that do not touch each other's files."""
    texts = (diff(upstream, {"README.md": b"ours\n"}), diff(upstream, {"run.sh": b"#!/bin/sh\nexit 1\n"}))
    fork = patched_fork(tmp_path / "fork", upstream, *texts)
    fork.sync()
    fork.commit()
    return fork


def run(fork: Fork, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    status = main(["-C", str(fork.root), "patch", *arguments])
    return status, capsys.readouterr().err.splitlines()


def test_a_patch_without_an_end_is_refused_with_the_options_that_give_it_one(
    patched: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = run(patched, capsys, "new", "name", "--why", "because")

    assert (status, "--drop-when" in said[0], "--forwarded" in said[0]) == (2, True, True)


def test_a_patch_that_was_begun_can_be_given_up(patched: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(patched, capsys, "new", "name", *ASKED)[0] == 0
    status, said = run(patched, capsys, "new", "name", *ASKED)
    assert (status, said[1]) == (2, "help: finish with `patch refresh`, or `patch drop name`")

    assert run(patched, capsys, "drop", "name") == (0, ["dropped name.patch", "next: python -m tools mirror sync"])
    assert not (patched.root / "mirror/.gateway.edit").exists()
    assert run(patched, capsys, "drop", "name")[0] == 2


def test_a_new_order_is_said_even_when_no_patch_file_changes(patched: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run(patched, capsys, "reorder", "p1", "p0")

    assert (status, said[:2]) == (0, ["order: p1.patch, p0.patch", "every patch file is as it would be written"])


def test_while_a_synchronization_is_paused_the_next_command_is_to_go_on(
    patched: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"README.md": b"rewritten\n"}, tag="v1.1.0")
    assert main(["-C", str(patched.root), "mirror", "sync", "v1.1.0"]) == 3
    capsys.readouterr()

    assert run(patched, capsys, "drop", "p0")[1][-1] == "next: python -m tools mirror sync --continue"
    assert main(["-C", str(patched.root), "mirror", "sync", "--continue"]) == 0
    assert patched.codes(prove=True) == []


def test_what_is_taken_from_the_mirror_is_said(patched: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    (patched.mirror / "src/app.py").write_bytes(b"ours\n")

    assert run(patched, capsys, "new", "app", *ASKED, "--from-mirror") == (
        0,
        ["written: app.patch", "next: python -m tools mirror sync"],
    )
