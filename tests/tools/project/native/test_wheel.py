from pathlib import Path

import pytest

from tools.project.native.wheel import ConsoleMissing, LibraryOutdated, library_of, require_console, wheel_tag


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
