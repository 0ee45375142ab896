import pytest

from tools.project.native.wheel import wheel_tag


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
