from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT, tracked_files
from tests.tools.mirrorkeeper.repositories import FILES, Upstream, introduce

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
SOURCE = "tools/mirrorkeeper"
SOME = ("git", "lockfile", "declaration", "report", "test_releases.py", "test_text.py")
TESTED = (*SOME, "series", "entry", "system")


def called(*words: str | Path, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command apart from the environment of these tests."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **more}
    return subprocess.run(
        list(map(str, words)), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the tracked files."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in tracked_files():
        if name.startswith(f"{SOURCE}/"):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    options = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "dist")
    built = called(sys.executable, "-m", "pip", "wheel", *options, folder / SOURCE, folder=folder)
    assert built.returncode == 0, built.stderr
    (made,) = (folder / "dist").iterdir()
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a clean environment that holds the wheel alone."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    python = folder / "bin/python"
    options = ("--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel)
    done = called(sys.executable, "-m", "pip", *options, folder=folder)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def libraries() -> dict[str, str]:
    """The libraries of the environment these tests run in, on the path of another."""
    return {"PYTHONPATH": sysconfig.get_path("purelib")}


def test_the_wheel_holds_one_top_level_package(wheel: Path) -> None:
    listed = called("unzip", "-Z1", wheel, folder=wheel.parent).stdout.split()
    sources = {name.removeprefix("tools/") for name in tracked_files() if name.startswith(f"{SOURCE}/")}

    assert {name.partition("/")[0] for name in listed} == {"mirrorkeeper", "mirrorkeeper-0.1.0.dist-info"}
    assert {name for name in sources if name.endswith((".py", ".json"))} <= set(listed)


def test_nothing_in_the_package_names_the_project_around_it() -> None:
    named = re.compile(r"poolkeeper|python -m tools|\bextension\b|CLIProxy", re.IGNORECASE)
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in tracked_files() if name.startswith(SOURCE)}
    code = {name: text for name, text in texts.items() if not name.endswith("LICENSE")}

    assert [name for name, text in code.items() if named.search(text)] == []


def test_a_command_without_its_library_names_the_library_and_its_extra(installed: Path) -> None:
    shown = called(installed / "mirrorkeeper", "gates", folder=installed)

    assert shown.returncode == 2
    assert shown.stderr.splitlines() == [
        "error: this command needs click, which is not installed",
        "help: pip install click, or pip install 'mirrorkeeper'",
    ]


def test_the_installed_command_takes_a_repository_from_nothing_to_a_green_gate(installed: Path, tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "upstream")
    upstream.commit(FILES, tag="v1.0.0")
    fork = tmp_path / "fork"
    called("git", "init", "--quiet", "--initial-branch=main", fork, folder=tmp_path)
    introduce(fork)

    def run(*words: str) -> str:
        done = called(installed / "mirrorkeeper", *words, folder=fork, **libraries())
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout + done.stderr

    assert run("--version") == "mirrorkeeper 0.1.0\n"
    assert "next: mirrorkeeper mirror sync vVERSION" in run("init", "--url", str(upstream.folder))
    assert "next: mirrorkeeper gates" in run("mirror", "sync", "v1.0.0")
    called("git", "add", "--all", folder=fork)
    called("git", "commit", "--quiet", "--message=Mirror v1.0.0", folder=fork)
    assert run("gates").splitlines()[-1] == "gates: clean"
    assert "python -m tools" not in (fork / "mirror/upstream.lock").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "rooms", [pytest.param(SOME, id="reduced"), pytest.param(TESTED, id="whole", marks=pytest.mark.soak)]
)
def test_the_tests_of_the_tools_pass_against_the_wheel(installed: Path, tmp_path: Path, rooms: tuple[str, ...]) -> None:
    """Imports of the tests are mapped from the folder in this repository to the package of the wheel."""
    for name in tracked_files():
        under = name.removeprefix("tests/tools/mirrorkeeper/")
        if under == name or not (under.startswith(rooms) or "/" not in under) or under.startswith("test_distribution"):
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        if "tests.repository" in text:  # it judges this repository, not the tools
            continue
        text = text.replace("tests.tools.mirrorkeeper", "mapped").replace("tools.mirrorkeeper", "mirrorkeeper")
        target = tmp_path / "mapped" / under
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.replace("python -m tools", "mirrorkeeper"), encoding="utf-8")
    chosen = [f"mapped/{name}" for name in rooms if (tmp_path / "mapped" / name).exists()]
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "--import-mode=importlib")
    environment = {**libraries(), "GIT_CONFIG_GLOBAL": os.devnull}
    done = called(installed / "python", "-m", "pytest", *options, *chosen, folder=tmp_path, **environment)

    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout


def test_the_version_of_the_distribution_is_that_of_the_package() -> None:
    declared = tomllib.loads((ROOT / SOURCE / "pyproject.toml").read_text(encoding="utf-8"))

    assert "version" in declared["project"]["dynamic"]
    assert declared["tool"]["hatch"]["version"]["path"] == "__init__.py"
