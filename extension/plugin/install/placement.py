"""Library, key file and configuration in the folder of a gateway, written so that a running one reads half of none.

What root makes in the folder of a gateway belongs to the gateway's user, who could not read a private file of root.
"""

import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from extension.plugin.install.config_block import PLUGIN
from extension.plugin.install.gateway_folder import GatewayFolder
from extension.plugin.management_key import KEY_NAME
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular
from extension.store.whole_file import PRIVATE, write_whole

_LIBRARY: Final = 0o644
_ROOT: Final = 0
_CONFIG_NAME: Final = "config.yaml"


def placed_library(source: Path, folder: Path, name: str) -> bool:
    """Put the library there under its name; return whether the folder changed.

    It is renamed into place: overwriting a mapped file can crash the gateway that runs it.
    """
    target = folder / name
    content = source.read_bytes()
    if target.is_file() and not target.is_symlink() and target.read_bytes() == content:
        return False
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(exist_ok=True)
        if os.geteuid() == _ROOT:
            os.chown(missing, *_owner(missing))
    write_whole(target, content, _LIBRARY, _new_owner(target))
    return True


def key_path(config: Path) -> Path:
    """Return the place of the management key of a plugin, beside the gateway's configuration."""
    return config.with_name(KEY_NAME)


def placed_key(path: Path, key: str) -> bool:
    """Write the key file for its owner alone; return whether it changed."""
    content = f"{key}\n".encode()
    private = path.is_file() and stat.S_IMODE(path.stat().st_mode) == PRIVATE
    if private and read_regular(path) == content:
        return False
    write_whole(path, content, PRIVATE, _new_owner(path))
    return True


def removed_key(config: Path) -> Path | None:
    """Remove the copy of the management key that an installation wrote; return its path, None without one."""
    path = key_path(config)
    if not path.is_file() or path.is_symlink():
        return None
    path.unlink()
    return path


def rewritten_config(path: Path, edit: Callable[[str], str | None]) -> bool:
    """Edit the configuration in place; return whether `edit` gave another text.

    The file keeps its inode: a stock gateway stops watching a file that is replaced by a rename. Where the new text
    cannot be written, as on a full disk, the old one is put back into the room that it had.
    """
    before = read_regular(path, LARGEST_CONFIGURATION).decode("utf-8")
    after = edit(before)
    if after is None or after == before:
        return False
    old, new = before.encode("utf-8"), after.encode("utf-8")
    shorter = min(len(old), len(new))
    same = next((place for place in range(shorter) if old[place] != new[place]), shorter)
    try:
        _write_from(path, same, new)
    except OSError:
        _write_from(path, same, old)
        raise
    return True


def _write_from(path: Path, start: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(content[start:])
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def removed_libraries(folder: Path) -> list[Path]:
    """Remove every version of the library; return their paths."""
    names = re.compile(rf"{PLUGIN}(-v.*)?")
    libraries = [path for path in sorted(folder.glob(f"{PLUGIN}*")) if names.fullmatch(path.stem)]
    for path in libraries:
        path.unlink()
    return libraries


def remove_empty_folders(place: GatewayFolder) -> None:
    """Remove the folders of plugins that are empty; one that the configuration names stays."""
    folders = (place.plugins, place.plugins.parent, *(() if place.named_root else (place.plugins.parents[1],)))
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def newer_library(folder: Path, version: str) -> Path | None:
    """Return the newest of our libraries with a later version than this one, which a gateway would prefer."""
    versions = {path: _numbers(path.stem.removeprefix(f"{PLUGIN}-v")) for path in folder.glob(f"{PLUGIN}-v*")}
    later = {path: numbers for path, numbers in versions.items() if numbers > _numbers(version)}
    return max(later, key=lambda path: later[path], default=None)


def preferred(newer: Path) -> str:
    """Return the sentence about a newer library in the folder."""
    return (
        f"{newer} is newer, and a gateway loads the newest: remove it with `poolkeeper plugin remove`, or install that "
        "version of Poolkeeper."
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _new_owner(path: Path) -> tuple[int, int] | None:
    return _owner(path) if os.geteuid() == _ROOT else None


def _owner(path: Path) -> tuple[int, int]:
    """Return user and group of the file before a new one, else of the configuration beside it, else of its folder."""
    config = path.with_name(_CONFIG_NAME)
    status = next((file for file in (path, config) if file.is_file()), path.parent).stat()
    return status.st_uid, status.st_gid
