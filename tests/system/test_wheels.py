"""Both distributions built as wheels and installed where nothing of this project is on the import path."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.system.process import Service, clean_environment
from tools.project.demo.folder import free_port, open_folder

OURS = ("extension", "adapter", "tools", "tests", "gateway", "poolkeeper")

pytestmark = pytest.mark.slow


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=clean_environment())
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Name of each distribution to its wheel, built from a copy, so that nothing is left behind in the tree."""
    folder = tmp_path_factory.mktemp("wheels")
    left_out = shutil.ignore_patterns("__pycache__", ".*", "tests", "screenshots")
    for name in ("extension", "adapter"):
        shutil.copytree(ROOT / name, folder / "poolkeeper" / name, ignore=left_out)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "poolkeeper" / name)
    shutil.copytree(ROOT / "mirror/gateway", folder / "gateway", ignore=left_out)
    for name in ("poolkeeper", "gateway"):
        pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", str(folder), str(folder / name))
    return {path.name.split("-")[0]: path for path in folder.glob("*.whl")}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every installed library but ours, so that nothing has to be downloaded."""
    folder = tmp_path_factory.mktemp("libraries")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.lstrip("_").startswith((*OURS, "editable")) and entry.suffix != ".pth":
            (folder / entry.name).symlink_to(entry)
    return folder


def install(folder: Path, libraries: Path, *wheels: Path) -> Path:
    """Make an empty environment with these wheels and return its `poolkeeper`."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    pip("--python", str(python), "install", "--no-index", "--no-deps", *map(str, wheels))
    command = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    place = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    (Path(place) / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")
    return folder / "bin/poolkeeper"


@contextmanager
def served(program: Path, *arguments: str, **environment: str) -> Iterator[Service]:
    """Serve with an installed program, away from the project's folder."""
    service = Service(arguments, {"PYTHONPATH": "", "PYTHONSAFEPATH": "1", **environment}, [str(program)])
    try:
        service.wait_until_ready()
        yield service
    finally:
        service.stop()


def fetched(address: str) -> tuple[int, str]:
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - our own service on loopback
        return answer.status, answer.read().decode()


def test_the_two_wheels_have_nothing_in_common_and_hold_nothing_of_the_tools(wheels: dict[str, Path]) -> None:
    held = {name: {entry.split("/")[0] for entry in zipfile.ZipFile(path).namelist()} for name, path in wheels.items()}

    assert {entry for entry in held["poolkeeper"] if not entry.endswith(".dist-info")} == {"extension", "adapter"}
    assert {entry for entry in held["poolkeeper_gateway"] if not entry.endswith(".dist-info")} == {"gateway"}


def test_installed_from_both_wheels_the_page_is_served(
    wheels: dict[str, Path], libraries: Path, tmp_path: Path
) -> None:
    program = install(tmp_path / "both", libraries, wheels["poolkeeper"], wheels["poolkeeper_gateway"])
    demo = open_folder(tmp_path / "demo")
    command = [str(program.with_name("python")), "-P", "-c", "import extension, gateway; print(gateway.__file__)"]
    where = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert where.startswith(str(tmp_path / "both"))

    with served(program, "--config", str(demo.config)):
        base = f"http://127.0.0.1:{demo.gateway_port}"
        status, page = fetched(f"{base}/monitor/inspection")
        script = page.partition('<script type="module" src="')[2].partition('"')[0]
        assert status == 200
        assert "<title>" in page
        assert fetched(f"{base}{script}" if script.startswith("/") else f"{base}/monitor/{script}")[0] == 200


def test_with_our_wheel_alone_one_line_says_what_to_install(
    wheels: dict[str, Path], libraries: Path, tmp_path: Path
) -> None:
    program = install(tmp_path / "alone", libraries, wheels["poolkeeper"])
    demo = open_folder(tmp_path / "demo")
    environment = clean_environment({"PYTHONPATH": "", "PYTHONSAFEPATH": "1"})

    done = subprocess.run(
        [str(program), "serve", "--config", str(demo.config)],
        cwd=tmp_path,
        env={**environment, "COLUMNS": "400"},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert done.returncode != 0
    assert len(lines) == 1
    assert "pip install poolkeeper-gateway" in lines[0]
    assert not (demo.config.parent / "poolkeeper").exists()


def test_with_our_wheel_alone_the_page_is_served_in_front_of_a_gateway_elsewhere(
    wheels: dict[str, Path], libraries: Path, tmp_path: Path
) -> None:
    both = install(tmp_path / "both", libraries, wheels["poolkeeper"], wheels["poolkeeper_gateway"])
    alone = install(tmp_path / "alone", libraries, wheels["poolkeeper"])
    demo, port = open_folder(tmp_path / "demo"), free_port()
    remote = (
        "--gateway",
        f"http://127.0.0.1:{demo.gateway_port}",
        "--listen",
        f"127.0.0.1:{port}",
        "--data-dir",
        str(tmp_path / "data"),
    )

    with (
        served(both, "--config", str(demo.config)),
        served(alone, *remote, POOLKEEPER_MANAGEMENT_KEY=demo.management_key),
    ):
        status, page = fetched(f"http://127.0.0.1:{port}/monitor/inspection")

    assert status == 200
    assert "<title>" in page
