import os
import socket
from pathlib import Path

import pytest

from gateway.internal.configuration.files import SystemFiles


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def held_fifo(folder: Path) -> Path:
    """Return a pipe somebody reads and writes: opening it would succeed, and reading it wait for ever."""
    path = fifo(folder)
    os.open(path, os.O_RDWR)
    return path


def device(folder: Path) -> Path:
    (folder / "zero").symlink_to("/dev/zero")
    return folder / "zero"


def terminal(folder: Path) -> Path:
    (folder / "null").symlink_to("/dev/null")
    return folder / "null"


def unix_socket(folder: Path) -> Path:
    place = Path(folder.name[-8:])
    with socket.socket(socket.AF_UNIX) as listener:
        before = Path.cwd()
        os.chdir(folder)
        listener.bind(str(place))
        os.chdir(before)
    return folder / place


def directory(folder: Path) -> Path:
    return folder


ODD = [fifo, held_fifo, device, terminal, unix_socket, directory]


@pytest.mark.parametrize("make", ODD)
def test_nothing_but_a_regular_file_is_read(tmp_path: Path, make: object) -> None:
    assert callable(make)
    with pytest.raises(OSError, match=r"regular file|No such device|Is a directory"):
        SystemFiles().read(make(tmp_path))


@pytest.mark.parametrize("make", ODD)
def test_nothing_but_a_regular_file_is_written(tmp_path: Path, make: object) -> None:
    assert callable(make)
    path = make(tmp_path)
    with pytest.raises(OSError, match=r"regular file|No such device|Is a directory|symbolic links"):
        SystemFiles().overwrite(path, b"x")
    with pytest.raises(OSError, match=r"regular file|No such device|Is a directory|symbolic links"):
        SystemFiles().create(path, b"x", None)


def test_a_file_is_read_and_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"long before")
    (tmp_path / "link").symlink_to("real")
    SystemFiles().overwrite(tmp_path / "link", b"after")
    assert SystemFiles().read(tmp_path / "link") == b"after"
    assert not (tmp_path / "real").is_symlink()


def test_a_file_that_is_too_long_is_not_held(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 1024)
    (tmp_path / "b").write_bytes(b"x" * 1025)
    assert SystemFiles().read(tmp_path / "a", 1024) == b"x" * 1024
    with pytest.raises(OSError, match=r"larger than 0\.000976562 MiB"):
        SystemFiles().read(tmp_path / "b", 1024)


def test_the_writer_of_a_pipe_is_not_let_on_by_a_look(tmp_path: Path) -> None:
    path = fifo(tmp_path)
    with pytest.raises(OSError, match="not a regular file"):
        SystemFiles().read(path)
    with pytest.raises(OSError, match="No such device"):  # a writer that does not wait finds no reader
        os.open(path, os.O_WRONLY | os.O_NONBLOCK)
