"""`make` on machines that lack something: no git, an old Python, no package index."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT

TOOLS = ("make", "sh", "grep", "cat", "touch", "mkdir", "chmod")
OLD = """#!/bin/sh
case "$1" in
--version) echo "Python 3.10.12" ;;
*) exit 1 ;;
esac
"""
PYTHON = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exit 0
mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "%s" >&2\\nexit 1\\n' "$COMPLAINT" >"$3/bin/python"
chmod +x "$3/bin/python"
"""
OFFLINE = "ERROR: Could not find a version that satisfies the requirement hatchling==1.0 (from versions: none)"


class Machine:
    """A copy of the files `make` begins with, and a PATH of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.path = folder / "bin"
        self.path.mkdir()
        for tool in TOOLS:
            program = shutil.which(tool)
            assert program, f"{tool} is missing on this machine"
            (self.path / tool).symlink_to(program)
        shutil.copytree(ROOT / "requirements", self.folder / "requirements")
        for name in ("Makefile", "pyproject.toml", "mirror/upstream.lock"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)

    def has(self, name: str, text: str = "#!/bin/sh\n") -> None:
        """Put a program on the PATH."""
        (self.path / name).write_text(text, encoding="utf-8")
        (self.path / name).chmod(0o755)

    def make(self, *words: str, **variables: str) -> list[str]:
        """Run make, which has to fail, and return the lines that are not its echo of commands."""
        environment = {"PATH": str(self.path), "HOME": str(self.folder), "LC_ALL": "C", **variables}
        done = subprocess.run(
            ["make", *words], cwd=self.folder, env=environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 2, done.stdout + done.stderr
        return [line for line in done.stderr.splitlines() if not line.startswith("make: ***")]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("target", ["run", "test", "check"])
def test_make_without_git_says_so_in_one_line(machine: Machine, target: str) -> None:
    machine.has("python3", PYTHON)

    assert machine.make(target) == ["make: git is missing. Install git and run make again."]


def test_make_with_an_old_python_says_so_in_one_line(machine: Machine) -> None:
    machine.has("git")
    machine.has("python3", OLD)

    assert machine.make("run") == [
        "make: Python 3.10.12 is too old. Install Python 3.11 or newer, or name it: make PYTHON=/path/to/python."
    ]


def test_make_without_python_says_so_in_one_line(machine: Machine) -> None:
    machine.has("git")

    assert machine.make("run") == [
        "make: python3 is missing. Install Python 3.11 or newer, or name it: make PYTHON=/path/to/python."
    ]


def test_make_without_a_package_index_says_so_in_one_line(machine: Machine) -> None:
    machine.has("git")
    machine.has("python3", PYTHON)

    lines = machine.make("run", COMPLAINT=OFFLINE)

    assert len(lines) == 1
    assert lines[0].startswith("make: No package index answers. Connect to the network or set PIP_INDEX_URL, ")
    assert lines[0].endswith("(see .venv-run/pip.log).")


def test_another_complaint_of_pip_is_shown_as_it_is(machine: Machine) -> None:
    machine.has("git")
    machine.has("python3", PYTHON)

    assert machine.make("run", COMPLAINT="ERROR: the hashes do not match") == ["ERROR: the hashes do not match"]


def test_tests_of_a_stock_gateway_build_what_the_gateway_loads() -> None:
    words = ["make", "-n", "test-stock", f"GATEWAY={sys.executable}"]
    shown = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert 0 <= shown.find("-m tools native") < shown.find("-m pytest")


@pytest.mark.slow
def test_what_pip_says_without_an_index_is_recognized(machine: Machine) -> None:
    machine.has("git")
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_NO_CACHE_DIR": "1"}
    lines = machine.make("run", f"PYTHON={sys.executable}", "PIP_CONFIG_FILE=" + os.devnull, **nowhere)

    assert [line.partition(".")[0] for line in lines] == ["make: No package index answers"]
