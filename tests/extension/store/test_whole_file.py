"""Files that something relies on, on a disk that takes only a part of a write."""

import os
from pathlib import Path

import pytest

from extension.store.whole_file import write_whole
from tests.extension.store.full_disk import room_for


@pytest.mark.parametrize("size", [0, 1, 4096, 199_999])
def test_a_file_that_has_no_room_is_refused_and_the_former_one_stays(tmp_path: Path, size: int) -> None:
    path = tmp_path / "auth.json"
    write_whole(path, b"former")
    with room_for(size), pytest.raises(OSError, match="File too large"):
        write_whole(path, b"x" * 200_000)
    assert path.read_bytes() == b"former"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_reads_differently_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "auth.json"

    def cut(descriptor: int) -> None:
        os.ftruncate(descriptor, 3)

    monkeypatch.setattr(os, "fsync", cut)
    with pytest.raises(OSError, match="reads differently"):
        write_whole(path, b"content")
    assert not list(tmp_path.iterdir())
