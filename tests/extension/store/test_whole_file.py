"""Files that something relies on, on a disk that takes only a part of a write."""

import os
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.deleted_files import FOLDER, DeletedFiles
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


async def test_the_copy_of_a_deleted_file_is_whole_or_refused(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        files = DeletedFiles(folder, FakeClock())
        with room_for(100_000), pytest.raises(OSError, match="File too large"):
            await files.keep(1, "claude.json", Secret("x" * 200_000))
        assert await files.all() == ()


async def test_the_draft_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        draft = folder.path / FOLDER / ".1-5.json.4711.new"
        draft.parent.mkdir()
        draft.write_text("half")
        await DeletedFiles(folder, FakeClock()).prune()
        assert not draft.exists()
