"""The commands of docs/adopting.md, run in order in an empty folder, with the wheel."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.repositories import WHO
from tests.tools.mirrorkeeper.test_distribution import called, libraries, wheel

__all__ = ["wheel"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def commands(walk: str) -> str:
    text = (ROOT / "docs/adopting.md").read_text(encoding="utf-8")
    return "\n".join(re.findall(rf"^```sh {walk}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("walk", ["python", "go"])
def test_a_fork_is_adopted_word_by_word(
    walk: str, wheel: Path, tmp_path: Path, go_cache: Path, request: pytest.FixtureRequest
) -> None:
    if walk == "go":
        request.getfixturevalue("go")
    script = commands(walk)
    assert script.count("mirrorkeeper gates") >= 3
    # The libraries come from the environment of the tests: no package index is asked.
    apart = {**WHO, **libraries(), "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "GOCACHE": str(go_cache)}
    walked = called(
        "bash",
        "-e",
        "-x",
        "-o",
        "pipefail",
        "-c",
        script,
        folder=tmp_path,
        **apart,
        WHEEL=str(wheel),
        GOTOOLCHAIN="local",
    )

    assert walked.returncode == 0, walked.stdout[-2000:] + walked.stderr[-3000:]
    assert "hello from OUR GREETER" in walked.stdout
    assert walked.stdout.count("gates: clean") == script.count("mirrorkeeper gates")
    assert "PAT009" in walked.stdout


def test_a_copy_with_changes_of_its_own_becomes_a_patch(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.mkdir()
    (tool / "mirrorkeeper").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tools.mirrorkeeper "$@"\n', "utf-8")
    (tool / "mirrorkeeper").chmod(0o755)
    path = f"{tool}:{os.environ['PATH']}"
    walked = called("bash", "-e", "-x", "-c", commands("copy"), folder=tmp_path, **WHO, PATH=path, PYTHONPATH=str(ROOT))

    assert walked.returncode == 0, walked.stdout[-2000:] + walked.stderr[-3000:]
    assert "gates: clean" in walked.stdout
    patch = (tmp_path / "fork/patches/own-changes.patch").read_text("utf-8")
    assert all(line in patch for line in ("+seven", "+ours", "deleted file mode"))
    assert (tmp_path / "fork/upstream/ours.txt").read_text("utf-8") == "ours\n"
