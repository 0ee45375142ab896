from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT, tracked_files
from tools.mirrorkeeper.recheck.wheel import (
    PROGRAM,
    WANTED,
    ProgramNotBuilt,
    build_program,
    run_cargo,
    target_folder,
    wheel_tag,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
SOURCE = "tools/mirrorkeeper"
CRATE = ROOT / SOURCE / "recheck"


def sources(folder: Path) -> Path:
    """Copy the tracked files of the distribution."""
    for name in tracked_files():
        if name.startswith(f"{SOURCE}/"):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    return folder / SOURCE


def pip(*words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", *map(str, words)]
    return subprocess.run(command, env={**os.environ, **more}, capture_output=True, text=True, check=False)


def build_wheel(source: Path, target: Path, **more: str) -> Path:
    options = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", target)
    built = pip("wheel", *options, source, **more)
    assert built.returncode == 0, built.stderr
    (made,) = target.iterdir()
    return made


def members(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="module")
def wheel(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with the program."""
    folder = tmp_path_factory.mktemp("compiled")
    assert program.is_file()
    return build_wheel(sources(folder), folder / "dist", **{WANTED: "1"})


def test_a_wheel_without_the_program_is_for_every_platform_and_needs_no_compiler(tmp_path: Path) -> None:
    path = os.pathsep.join(one for one in os.environ["PATH"].split(os.pathsep) if not (Path(one) / "cargo").exists())
    wheel = build_wheel(sources(tmp_path), tmp_path / "dist", PATH=path, **{WANTED: ""})

    assert wheel.name.endswith("-py3-none-any.whl")
    assert [name for name in members(wheel) if ".data/" in name] == []


def test_a_wheel_with_the_program_is_for_one_platform(wheel: Path) -> None:
    assert re.search(rf"-py3-none-(manylinux|macosx)\w+_{platform.machine()}\.whl$", wheel.name)
    assert [name for name in members(wheel) if ".data/" in name] == [f"mirrorkeeper-0.1.0.data/scripts/{PROGRAM}"]


def test_no_wheel_holds_sources_of_the_program(wheel: Path) -> None:
    kinds = {Path(name).suffix for name in members(wheel) if "dist-info" not in name}

    assert kinds == {".py", ".json", ""}
    assert [name for name in members(wheel) if not Path(name).suffix and "-info/" not in name] == [
        f"mirrorkeeper-0.1.0.data/scripts/{PROGRAM}"
    ]


def test_the_installed_program_runs_the_command_beside_it(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "installed", with_pip=False)
    binaries = tmp_path / "installed/bin"
    options = ("--quiet", "--no-index", "--no-deps", wheel)
    done = pip("--python", binaries / "python", "install", *options)
    assert done.returncode == 0, done.stderr
    environment = {"PATH": os.environ["PATH"], "MIRROR_CACHE": str(tmp_path / "cache")}
    shown = subprocess.run(
        [binaries / PROGRAM, "--bytes"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )

    assert shown.returncode == 2
    assert shown.stderr.startswith("error: ")
    assert "mirrorkeeper" in shown.stderr


def test_the_program_names_no_folder_of_this_machine_and_no_registry(program: Path) -> None:
    text = program.read_bytes()
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")

    assert os.fsencode(home) not in text
    assert os.fsencode(ROOT) not in text
    assert b"index.crates" not in text


def test_the_source_distribution_holds_the_sources_of_the_program(program: Path, tmp_path: Path) -> None:
    assert program.is_file()
    source = sources(tmp_path)
    (source / "recheck/Cargo.lock").write_text("made by cargo", encoding="utf-8")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path / "dist")]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = (tmp_path / "dist").iterdir()
    with tarfile.open(made) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()

    assert not (unpacked / "recheck/Cargo.lock").exists()
    assert "manylinux" in build_wheel(unpacked, tmp_path / "wheel", **{WANTED: "1"}).name or sys.platform == "darwin"


def test_without_cargo_the_error_names_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(ProgramNotBuilt) as failure:
        build_program(CRATE, {"PATH": str(tmp_path), "HOME": str(tmp_path)})

    assert str(failure.value) == (
        "cargo is not installed, and mirrorkeeper-verify is built with it: install Rust 1.85 or newer, "
        "or unset MIRRORKEEPER_COMPILED: without MIRRORKEEPER_COMPILED the wheel needs no compiler."
    )


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/home/a"}, "/home/a/.cache/mirrorkeeper/cargo"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/var/cache/a"}, "/var/cache/a/mirrorkeeper/cargo"),
        ({"HOME": "/home/a", "CARGO_TARGET_DIR": "/work"}, "/work"),
    ],
)
def test_cargo_builds_outside_the_sources(environment: dict[str, str], expected: str) -> None:
    assert target_folder(environment) == Path(expected)


@pytest.mark.parametrize(
    ("symbols", "reach"),
    [
        (b"GLIBC_2.2.5\0GLIBC_2.17\0", "manylinux2014"),
        (b"GLIBC_2.34\0GLIBC_2.9\0", "manylinux_2_34"),
    ],
)
def test_the_tag_is_for_the_newest_symbols_the_program_asks_for(symbols: bytes, reach: str) -> None:
    assert wheel_tag(symbols) == f"py3-none-{reach}_{platform.machine()}"


def test_a_program_without_symbols_of_glibc_is_for_the_platform_of_this_python() -> None:
    assert re.fullmatch(r"py3-none-[a-z]+_\w+", wheel_tag(b"musl"))


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("fmt", "--check"), id="formatted"),
        pytest.param(("clippy", "--all-targets", "--", "--deny", "warnings"), id="clippy"),
        pytest.param(("test", "--quiet"), id="unit tests"),
    ],
)
def test_the_sources_of_the_program_pass_their_own_checks(program: Path, words: tuple[str, ...]) -> None:
    assert program.is_file()
    run_cargo(CRATE, os.environ, *words)
