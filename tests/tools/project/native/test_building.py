"""Flags of the library's build."""

from pathlib import Path

from tools.project.native.building import without_places


def test_folders_of_this_machine_and_the_registrys_name_stay_out_of_the_library(tmp_path: Path) -> None:
    registry = tmp_path / "a folder" / "registry" / "src" / "registry.example-1949cf8c"
    registry.mkdir(parents=True)

    flags = without_places({"CARGO_HOME": str(tmp_path / "a folder")})

    assert flags.split("\x1f") == [f"--remap-path-prefix={registry}=crates"]


def test_a_home_without_sources_needs_no_flag(tmp_path: Path) -> None:
    assert without_places({"HOME": str(tmp_path)}) == ""
