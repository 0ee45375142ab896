"""Flags of the library's build, and its checks by cargo."""

from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tools.mirror.errors import ToolError
from tools.project.native.building import reach, target_folder, without_places
from tools.project.native.building import test_library as check_library

CHECKS = ("rustfmt", "clippy", "unit tests")


def test_folders_of_this_machine_and_the_registrys_name_stay_out_of_the_library(tmp_path: Path) -> None:
    registry = tmp_path / "a folder" / "registry" / "src" / "registry.example-1949cf8c"
    registry.mkdir(parents=True)

    flags = without_places({"CARGO_HOME": str(tmp_path / "a folder")})

    assert flags.split("\x1f") == [f"--remap-path-prefix={registry}=crates"]


def test_a_home_without_sources_needs_no_flag(tmp_path: Path) -> None:
    assert without_places({"HOME": str(tmp_path)}) == ""


def test_the_last_line_names_the_tag_of_the_wheel_and_the_way_to_the_widest_one() -> None:
    line = reach(b"\x00GLIBC_2.17\x00GLIBC_2.34\x00", "aarch64")

    assert "wheel tag manylinux_2_34_aarch64 (glibc 2.34 and newer)" in line
    assert "For manylinux2014 (glibc 2.17 and newer) run `pip install cargo-zigbuild ziglang`" in line


def test_a_library_for_every_glibc_needs_no_advice() -> None:
    assert reach(b"\x00GLIBC_2.17\x00", "x86_64") == "wheel tag manylinux2014_x86_64 (glibc 2.17 and newer)"


def test_without_cargo_the_checks_left_out_are_named(tmp_path: Path) -> None:
    line = check_library(ROOT, {"PATH": str(tmp_path)})

    assert "cargo is not installed" in line
    for check in CHECKS:
        assert check in line


def test_a_missing_cargo_is_a_failure_in_ci(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="in CI nothing is left out") as failure:
        check_library(ROOT, {"PATH": str(tmp_path), "CI": "true"})

    assert failure.value.hint == "Install Rust 1.88 or newer."


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/home/a"}, "/home/a/.cache/poolkeeper/native"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/var/cache/a"}, "/var/cache/a/poolkeeper/native"),
        ({"HOME": "/home/a", "CARGO_TARGET_DIR": "/work"}, "/work"),
    ],
)
def test_cargo_builds_outside_the_clone(environment: dict[str, str], expected: str) -> None:
    assert target_folder(environment) == Path(expected)


def test_a_failing_check_is_a_failure(tmp_path: Path) -> None:
    cargo = tmp_path / "cargo"
    cargo.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    cargo.chmod(0o755)

    with pytest.raises(ToolError, match="cargo fmt --check"):
        check_library(ROOT, {"PATH": str(tmp_path), "CARGO_TARGET_DIR": str(tmp_path)})
