"""An installation or a removal that is killed or fails at any of its changes."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import yaml

from extension.plugin.install.interrupted_edit import EditInterrupted, backup_path, settle_interrupted_edit
from extension.plugin.install.native_library import MANIFEST
from tests.repository.tracked import ROOT

PROGRAM = Path(__file__).with_name("interrupted_program.py")
MOST = 40
KILLS = 20
MOST_TRIES = 100
pytestmark = pytest.mark.timeout(180)


class Program:
    """The program, which runs one command after the other."""

    def __init__(self) -> None:
        environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, kind: str, number: int, library: Path, folder: Path, command: str) -> tuple[int, str]:
        """Run the command; return status and output."""
        asked, answer = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answer is not None
        asked.write(json.dumps([kind, number, str(library), str(folder), command]) + "\n")
        asked.flush()
        status, output = json.loads(answer.readline())
        return status, output

    def end(self) -> int:
        """Return the status it ends with."""
        self._process.communicate()
        return self._process.returncode


@pytest.fixture(scope="module")
def run() -> Iterator[Program]:
    program = Program()
    yield program
    assert program.end() == 0


def content(folder: Path) -> dict[str, bytes | None]:
    """Return every path below a folder with its content."""
    return {str(one.relative_to(folder)): one.read_bytes() if one.is_file() else None for one in folder.rglob("*")}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.so"
    path.write_bytes(b"\x7fELF" + MANIFEST.read_bytes())
    return path


def fresh(folder: Path) -> Path:
    """Make a gateway's folder anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "config.yaml").write_text("port: 1\n# mine\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("command", ["install", "remove"])
def test_a_failed_change_leaves_the_folder_as_it_was(tmp_path: Path, library: Path, run: Program, command: str) -> None:
    failed = 0
    for number in range(1, MOST):
        folder = fresh(tmp_path / "gateway")
        if command == "remove":
            assert run("fail", 0, library, folder, "install")[0] == 0
        before = content(folder)
        status, output = run("fail", number, library, folder, command)
        if status == 0:
            break
        failed += 1
        assert (status, "cannot be written" in " ".join(output.split())) == (2, True), (number, output)
        assert content(folder) == before, number
    assert failed > 5
    assert failed < MOST - 1


@pytest.mark.parametrize("command", ["install", "remove"])
def test_a_killed_run_leaves_a_readable_configuration_and_the_next_one_completes_it(
    tmp_path: Path, library: Path, run: Program, command: str
) -> None:
    whole = fresh(tmp_path / "gateway")
    assert run("kill", 0, library, whole, "install")[0] == 0
    if command == "remove":
        assert run("kill", 0, library, whole, "remove")[0] == 0
    expected, killed = content(whole), 0
    for number in range(1, MOST):
        folder = fresh(tmp_path / "gateway")
        if command == "remove":
            assert run("kill", 0, library, folder, "install")[0] == 0
        status, output = run("kill", number, library, folder, command)
        if status == 0:
            break
        killed += 1
        assert status == -signal.SIGKILL, output
        assert yaml.safe_load((folder / "config.yaml").read_text("utf-8"))["port"] == 1
        assert_whole(folder, library)
        status, output = run("kill", 0, library, folder, command)
        assert status == 0, output
        assert whose_folders_aside(content(folder)) == whose_folders_aside(expected), (number, output)
    assert killed > 5
    assert killed < MOST - 1


def whose_folders_aside(found: dict[str, bytes | None]) -> dict[str, object]:
    """Leave out how many folders were made: the next installation finds those of a killed one, and keeps them."""
    return {
        name: {**json.loads(text), "made_folders": 0} if text and name.endswith("-installed") else text
        for name, text in found.items()
    }


def test_a_library_is_whole_or_absent_wherever_an_installation_is_killed(tmp_path: Path, run: Program) -> None:
    library, moments, killed = tmp_path / "library.so", Random(18), 0
    library.write_bytes(b"\x7fELF" + MANIFEST.read_bytes() + bytes(2_000_000))
    began = time.perf_counter()
    assert run("late", 0, library, fresh(tmp_path / "gateway"), "install")[0] == 0
    latest = (time.perf_counter() - began) * 1e6
    before, after = b"port: 1\n# mine\n", (tmp_path / "gateway" / "config.yaml").read_bytes()
    for _ in range(MOST_TRIES):
        folder, moment = fresh(tmp_path / "gateway"), max(1, round(moments.uniform(0, latest)))
        status, output = run("late", moment, library, folder, "install")
        killed += status == -signal.SIGKILL
        latest = latest if status else min(latest, moment)  # it had ended before
        assert_whole(folder, library)
        assert (folder / "config.yaml").read_bytes() in {before, after}, output
        status, output = run("late", 0, library, folder, "install")
        assert (status, (folder / "config.yaml").read_bytes()) == (0, after), output
        assert not list(folder.rglob(".poolkeeper-v*")), "what the killed run left is cleared up"
        if killed == KILLS:
            break
    assert killed == KILLS


def assert_whole(folder: Path, library: Path) -> None:
    """Every file that a gateway would load is the library, byte for byte."""
    for found in folder.rglob("*.so"):
        assert found.read_bytes() == library.read_bytes()


def test_a_half_written_configuration_is_set_back(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("port: 1\nplugins: {enab", encoding="utf-8")
    backup_path(config).write_text("port: 1\n", encoding="utf-8")

    assert settle_interrupted_edit(config)
    assert content(tmp_path) == {"config.yaml": b"port: 1\n"}


def test_a_configuration_that_was_changed_since_is_left_to_a_person(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("port: 2\n", encoding="utf-8")
    backup_path(config).write_text("port: 1\n", encoding="utf-8")

    with pytest.raises(EditInterrupted, match="poolkeeper-backup"):
        settle_interrupted_edit(config)
    assert config.read_text(encoding="utf-8") == "port: 2\n"
