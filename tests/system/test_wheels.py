"""Both distributions built as wheels and installed where nothing of this project is on the import path."""

from __future__ import annotations

import subprocess
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.system.process import Service, clean_environment
from tests.system.wheels import built_wheels, install, linked_libraries
from tools.project.demo.folder import open_folder
from tools.project.demo.ports import free_port

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return built_wheels(tmp_path_factory.mktemp("wheels"), "poolkeeper", "gateway")


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return linked_libraries(tmp_path_factory.mktemp("libraries"))


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
    contents = {
        name: {entry.split("/")[0] for entry in zipfile.ZipFile(path).namelist()} for name, path in wheels.items()
    }

    assert {entry for entry in contents["poolkeeper"] if not entry.endswith(".dist-info")} == {"extension", "adapter"}
    assert {entry for entry in contents["poolkeeper_gateway"] if not entry.endswith(".dist-info")} == {"gateway"}


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
