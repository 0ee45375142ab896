"""Writing of the library, the key file and the configuration, so that a running gateway never reads half of one."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from extension.plugin.install.config_edit import PLUGIN
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular

_KEY_NAME: Final = "poolkeeper-management.key"
_PRIVATE: Final = 0o600
_LIBRARY: Final = 0o644


def placed_library(source: Path, folder: Path, name: str) -> bool:
    """Put the library there under its name; return whether the folder changed.

    It is renamed into place: overwriting a mapped file can crash the gateway that runs it.
    """
    target = folder / name
    content = source.read_bytes()
    if target.is_file() and not target.is_symlink() and target.read_bytes() == content:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    _renamed(target, content, _LIBRARY)
    return True


def key_path(config: Path) -> Path:
    """Return the place of the management key of a plugin, beside the gateway's configuration."""
    return config.with_name(_KEY_NAME)


def removed_key(config: Path) -> Path | None:
    """Remove the copy of the management key that an installation wrote; return its path, None without one."""
    path = key_path(config)
    if not path.is_file() or path.is_symlink():
        return None
    path.unlink()
    return path


def placed_key(path: Path, key: str) -> bool:
    """Write the key file for its owner alone; return whether it changed."""
    content = f"{key}\n".encode()
    private = path.is_file() and stat.S_IMODE(path.stat().st_mode) == _PRIVATE
    if private and read_regular(path) == content:
        return False
    _renamed(path, content, _PRIVATE)
    return True


def edited_config(path: Path, edit: Callable[[str], str]) -> bool:
    """Edit the configuration in place; return whether it changed.

    The file keeps its inode: a stock gateway stops watching a file that is replaced by a rename. A copy of the old text
    lies beside it while it is written.
    """
    before = read_regular(path, LARGEST_CONFIGURATION)
    after = edit(before.decode("utf-8")).encode("utf-8")
    if after == before:
        return False
    copy = path.with_name(f".{path.name}.poolkeeper-backup")
    _renamed(copy, before, _PRIVATE)
    with path.open("r+b") as file:
        file.write(after)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    copy.unlink()
    return True


def removed_libraries(folder: Path) -> list[Path]:
    """Remove every version of the library; return their paths."""
    found = [path for path in sorted(folder.glob(f"{PLUGIN}*")) if _is_ours(path.stem)]
    for path in found:
        path.unlink()
    return found


def newer_library(folder: Path, version: str) -> Path | None:
    """Return the newest of our libraries with a later version than this one, which a gateway would prefer."""
    found = {path: _numbers(path.stem.removeprefix(f"{PLUGIN}-v")) for path in folder.glob(f"{PLUGIN}-v*")}
    later = {path: numbers for path, numbers in found.items() if numbers > _numbers(version)}
    return max(later, key=lambda path: later[path], default=None)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _is_ours(stem: str) -> bool:
    return stem == PLUGIN or stem.startswith(f"{PLUGIN}-v")


def _renamed(target: Path, content: bytes, mode: int) -> None:
    with _dot_file(target) as temporary:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def _dot_file(target: Path) -> Iterator[Path]:
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
