import errno
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from extension.store.data_folder import DataFolder
from extension.store.errors import DataFolderInUse, DataFolderUnusable

OPEN_AS_NOBODY = """
import os, sys
from pathlib import Path
from extension.store.data_folder import DataFolder
from extension.store.errors import StoreError
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
try:
    DataFolder.open(Path(sys.argv[1]))
except StoreError as error:
    print(type(error).__name__, error)
    sys.exit(2)
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_data_folder_is_private_whatever_the_umask_is(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with DataFolder.open(tmp_path / "deep" / "data") as folder:
            assert mode(folder.path) == 0o700
            assert mode(folder.path / "service.lock") == 0o600
    finally:
        os.umask(before)


def test_an_empty_folder_that_others_may_read_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.mkdir()
    path.chmod(0o755)
    with DataFolder.open(path):
        assert mode(path) == 0o700


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "home"
    path.mkdir()
    path.chmod(0o755)
    (path / "letter.txt").write_text("hello")
    with pytest.raises(DataFolderUnusable, match=r"letter\.txt.*Choose an empty folder"):
        DataFolder.open(path)
    assert mode(path) == 0o755
    assert [entry.name for entry in path.iterdir()] == ["letter.txt"]


def test_a_data_folder_whose_mode_was_widened_is_made_private_again(tmp_path: Path) -> None:
    path = tmp_path / "data"
    DataFolder.open(path).close()
    path.chmod(0o777)
    with DataFolder.open(path):
        assert mode(path) == 0o700


def test_two_services_cannot_hold_one_data_folder(tmp_path: Path) -> None:
    with (
        DataFolder.open(tmp_path / "data"),
        pytest.raises(DataFolderInUse, match=rf"process {os.getpid()}.*POOLKEEPER_DATA_DIR"),
    ):
        DataFolder.open(tmp_path / "data")


def test_a_closed_data_folder_can_be_opened_again(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data")
    folder.close()
    folder.close()
    DataFolder.open(tmp_path / "data").close()


def test_a_data_folder_below_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFolderUnusable, match=r"cannot be used: .*choose another folder") as caught:
        DataFolder.open(tmp_path / "file" / "data")
    assert "\n" not in str(caught.value)


def test_a_read_only_data_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.mkdir()
    path.chmod(0o500)
    with pytest.raises(DataFolderUnusable, match=r"read-only \(mode 500\).*chmod 700") as caught:
        DataFolder.open(path)
    assert "\n" not in str(caught.value)
    assert list(path.iterdir()) == []


def test_a_data_folder_of_another_user_is_refused_in_one_line() -> None:
    if os.geteuid() != 0:
        with pytest.raises(DataFolderUnusable, match="cannot be used"):
            DataFolder.open(Path("/poolkeeper"))
        return
    parent = Path(tempfile.mkdtemp())  # not below tmp_path, which is closed to other users and would hide the reason
    try:
        parent.chmod(0o755)
        done = subprocess.run(
            [sys.executable, "-c", OPEN_AS_NOBODY, str(parent / "data")], check=False, capture_output=True, text=True
        )
    finally:
        shutil.rmtree(parent)
    assert done.returncode == 2, done.stderr
    assert done.stdout.startswith("DataFolderUnusable")
    assert "Permission denied" in done.stdout
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("code", "step"), [(errno.ENOSPC, "Make room on its disk"), (errno.EROFS, "Give the service's user write access")]
)
def test_a_full_disk_is_told_from_missing_access(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, step: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("extension.store.data_folder.os.ftruncate", refuse)
    with pytest.raises(DataFolderUnusable, match=f"{os.strerror(code)}. {step}"):
        DataFolder.open(tmp_path / "data")
