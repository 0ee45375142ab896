"""A file with an import whose name is not UTF-8, or not of the locale, is a finding with an escaped name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.boundary.test_boundary import FILES
from tests.tools.mirrorkeeper.repositories import introduce
from tools.mirrorkeeper.git.command import Git

pytestmark = pytest.mark.slow

PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
PATHS = {"PATH": os.environ["PATH"]}
FORMATS = ["text", "json", "github", "sarif", "junit", "markdown"]


def judge(folder: Path, name: bytes, output: str, environment: dict[str, str]) -> tuple[int, str, str]:
    """Status, output and complaint of the boundary's gate over a project with a file of that name."""
    for file, text in FILES.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace('contracts = ".importlinter"', ""), encoding="utf-8")
    Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(b"import gateway\n")
    git = Git(folder)
    git.run("init", "--quiet", ".")
    introduce(folder)
    git.run("add", "--all", ".")
    command = [sys.executable, "-m", "tools.mirrorkeeper", "-C", str(folder), "boundary", "--output-format", output]
    found = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, env={**PATHS, **environment})
    return found.returncode, found.stdout.decode(), found.stderr.decode()


@pytest.mark.parametrize("output", FORMATS)
def test_a_name_that_is_not_utf_8_is_escaped_in_every_format(tmp_path: Path, output: str) -> None:
    status, said, complaint = judge(tmp_path, b"\xff.py", output, {"LC_ALL": "C.UTF-8"})

    assert (status, complaint) == (1, "")
    assert "%FF.py" in said if output == "sarif" else "\\xff.py" in said


@pytest.mark.parametrize("name", ["\u00e9.py", "\u00e9.sh"])
def test_a_name_that_the_locale_lacks_is_read_and_shown(tmp_path: Path, name: str) -> None:
    status, said, complaint = judge(tmp_path, name.encode(), "json", PLAIN)

    assert (status, complaint) == (1, "")
    assert [one["path"] for one in json.loads(said)["findings"]] == [name]


def test_a_broken_file_of_such_a_name_is_a_finding_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xfe.py")).write_bytes(b"import (gateway\n")
    status, said, complaint = judge(tmp_path, b"\xff.py", "text", {"LC_ALL": "C.UTF-8"})

    assert (status, complaint) == (1, "")
    assert "\\xfe.py:1: IMP013 is not valid Python" in said
    assert "\\xff.py:1: IMP001" in said
