"""Flags of the library's build."""

from pathlib import Path

from tools.project.native.building import reach, without_places


def test_folders_of_this_machine_and_the_registrys_name_stay_out_of_the_library(tmp_path: Path) -> None:
    registry = tmp_path / "a folder" / "registry" / "src" / "registry.example-1949cf8c"
    registry.mkdir(parents=True)

    flags = without_places({"CARGO_HOME": str(tmp_path / "a folder")})

    assert flags.split("\x1f") == [f"--remap-path-prefix={registry}=crates"]


def test_a_home_without_sources_needs_no_flag(tmp_path: Path) -> None:
    assert without_places({"HOME": str(tmp_path)}) == ""


def test_the_last_line_names_the_tag_of_the_wheel_and_the_way_to_the_widest_one() -> None:
    said = reach(b"\x00GLIBC_2.17\x00GLIBC_2.34\x00")

    assert "wheel tag manylinux_2_34_x86_64 (glibc 2.34 and newer)" in said
    assert "For manylinux2014 (glibc 2.17 and newer) run `pip install cargo-zigbuild ziglang`" in said


def test_a_library_for_every_glibc_needs_no_advice() -> None:
    assert reach(b"\x00GLIBC_2.17\x00") == "wheel tag manylinux2014_x86_64 (glibc 2.17 and newer)"
