from pathlib import Path

import pytest

from tools.project.native.wheel import (
    LIBRARIES,
    ConsoleMissing,
    LibraryMissing,
    LibraryOutdated,
    library_of,
    library_path,
    require_console,
    wheel_tag,
)


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        (b"\x00GLIBC_2.2.5\x00GLIBC_2.17\x00", "py3-none-manylinux2014_x86_64"),
        (b"\x00GLIBC_2.17\x00GLIBC_2.34\x00GLIBC_2.4\x00", "py3-none-manylinux_2_34_x86_64"),
        (b"", "py3-none-manylinux2014_x86_64"),
    ],
)
def test_the_wheel_names_the_oldest_glibc_its_library_runs_on(library: bytes, expected: str) -> None:
    assert wheel_tag(library, "x86_64") == expected


def test_a_library_of_another_version_does_not_get_into_a_wheel(tmp_path: Path) -> None:
    library = tmp_path / "library.so"
    library.write_bytes(b'\x7fELF{"Version": "0.1.0"}\x00')

    assert library_of(library, b'{"Version": "0.1.0"}') == library.read_bytes()
    with pytest.raises(LibraryOutdated, match="make native"):
        library_of(library, b'{"Version": "0.2.0"}')


def test_a_wheel_without_the_console_is_refused_with_the_command_that_builds_it(tmp_path: Path) -> None:
    with pytest.raises(ConsoleMissing, match="make console"):
        require_console(tmp_path)


def test_a_wheel_carries_the_library_of_the_processor_it_is_for(tmp_path: Path) -> None:
    folder = tmp_path / "extension/plugin/native"
    folder.mkdir(parents=True)
    for file in LIBRARIES.values():
        (folder / file).touch()

    assert library_path(tmp_path, "aarch64") == (folder / "poolkeeper-linux-arm64.so", "aarch64")
    assert library_path(tmp_path, "x86_64") == (folder / "poolkeeper-linux-amd64.so", "x86_64")
    assert library_path(tmp_path, "any") is None


def test_a_wheel_for_a_processor_whose_library_is_not_built_is_refused(tmp_path: Path) -> None:
    assert library_path(tmp_path, "") is None
    for name in ("aarch64", "riscv64"):
        with pytest.raises(LibraryMissing, match=f"WHEEL_FOR={name} .*x86_64, aarch64, any.*make dist"):
            library_path(tmp_path, name)
