"""Things that stand where a file is expected, and would hold or fill a process that opens them."""

import os
import socket
from collections.abc import Callable
from pathlib import Path


def clear(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link_to_pipe(path: Path) -> None:
    os.mkfifo(path.with_name(f"{path.name}.pipe"))
    path.symlink_to(f"{path.name}.pipe")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def unix_socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # an address of this family has 107 bytes at most
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.chdir(before)


IN_THE_WAY: tuple[Callable[[Path], None], ...] = (pipe, link_to_pipe, device, folder, unix_socket)


def put_in_the_way(path: Path, make: Callable[[Path], None]) -> None:
    """Replace a file, which need not exist."""
    clear(path)
    make(path)
