from __future__ import annotations

import subprocess

from hypothesis import given
from hypothesis import strategies as st

from tools.mirrorkeeper.text import counted, shell_path, shown_path


def test_one_is_counted_as_one() -> None:
    assert [counted(number, "file") for number in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
    assert [counted(number, "patch", "patches") for number in (1, 2)] == ["1 patch", "2 patches"]


def test_a_path_is_shown_with_what_cannot_be_read_escaped() -> None:
    assert shown_path(b"caf\xe9\n") == r"caf\xe9\n"
    assert shown_path("ünï→".encode()) == "ünï→"


def test_a_plain_path_stays_as_it_is_for_a_shell() -> None:
    assert shell_path(b"src/app.py") == "src/app.py"


@given(st.binary(min_size=1, max_size=12).filter(lambda path: b"\0" not in path))
def test_a_pasted_path_is_the_path(path: bytes) -> None:
    pasted = subprocess.run(["bash", "-c", f"printf %s {shell_path(path)}"], capture_output=True, check=True)

    assert pasted.stdout == path
