"""Files that somebody else could have replaced are read without waiting and without end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from extension.store.regular_file import read_regular, read_regular_json, read_regular_text
from tests.extension.serving.files_in_the_way import IN_THE_WAY, pipe, put_in_the_way


@pytest.mark.parametrize("make", IN_THE_WAY)
def test_nothing_but_a_regular_file_is_read(tmp_path: Path, make: Callable[[Path], None]) -> None:
    put_in_the_way(tmp_path / "file", make)
    with pytest.raises(OSError, match=r"not a regular file|Is a directory"):
        read_regular(tmp_path / "file")


def test_the_writer_of_a_pipe_is_not_released(tmp_path: Path) -> None:
    pipe(tmp_path / "file")
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(tmp_path / "file")
    with pytest.raises(OSError, match="No such device"):
        os.open(tmp_path / "file", os.O_WRONLY | os.O_NONBLOCK)


def test_a_file_is_read_through_a_link_and_up_to_its_limit(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 1024**2)
    (tmp_path / "link").symlink_to("file")
    assert read_regular_text(tmp_path / "link") == "x" * 1024**2
    (tmp_path / "file").write_bytes(b"x" * (1024**2 + 1))
    with pytest.raises(OSError, match="larger than 1 MiB"):
        read_regular(tmp_path / "link")


@pytest.mark.parametrize("text", ["[" * 200_000, "[" * 100_000 + "]" * 100_000, "{", "\ud800"])
def test_values_nested_deeper_than_can_be_read_are_no_json(tmp_path: Path, text: str) -> None:
    (tmp_path / "file").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ValueError):  # noqa: PT011 - any of them
        read_regular_json(tmp_path / "file")
