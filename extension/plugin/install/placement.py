"""Writing of the library, the key file and the configuration, so that a running gateway never reads half of one."""

import re
import stat
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from extension.plugin.install.config_edit import PLUGIN, enabled_text
from extension.plugin.install.file_changes import (
    deleted_file,
    folder_made,
    remove_temporary,
    removed_if_empty,
    renamed,
    replaced_file,
    rewritten,
)
from extension.plugin.install.gateway_folder import GatewayFolder
from extension.plugin.install.installation_record import (
    Installation,
    forget_installation,
    note_installation,
    record_path,
    text_without_plugin,
)
from extension.plugin.install.interrupted_edit import backup_path, settle_interrupted_edit
from extension.plugin.management_key import KEY_NAME
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular

_PRIVATE: Final = 0o600
_LIBRARY: Final = 0o644


def prepared(place: GatewayFolder) -> bool:
    """Clear up after a run that was killed; return whether the configuration was set back to its text before that run.

    Raises:
        EditInterrupted: a person has to choose between the configuration and a copy of it.
        OSError: the configuration cannot be written.
    """
    place.config.open("r+b").close()
    restored = settle_interrupted_edit(place.config)
    remove_temporary(place.config.parent, (KEY_NAME, backup_path(place.config).name, record_path(place.config).name))
    remove_temporary(place.plugins, (PLUGIN,))
    return restored


def placed_library(source: Path, folder: Path, name: str, undo: ExitStack) -> bool:
    """Put the library there under its name; return whether the folder changed.

    It is renamed into place: overwriting a mapped file can crash the gateway that runs it.
    """
    target = folder / name
    content = source.read_bytes()
    if target.is_file() and not target.is_symlink() and target.read_bytes() == content:
        return False
    folder_made(folder, undo)
    replaced_file(target, content, _LIBRARY, undo)
    return True


def key_path(config: Path) -> Path:
    """Return the place of the management key of a plugin, beside the gateway's configuration."""
    return config.with_name(KEY_NAME)


def removed_key(config: Path, undo: ExitStack) -> Path | None:
    """Remove the copy of the management key that an installation wrote; return its path, None without one."""
    path = key_path(config)
    if not path.is_file() or path.is_symlink():
        return None
    deleted_file(path, undo)
    return path


def placed_key(path: Path, key: str, undo: ExitStack) -> bool:
    """Write the key file for its owner alone; return whether it changed."""
    content = f"{key}\n".encode()
    private = path.is_file() and stat.S_IMODE(path.stat().st_mode) == _PRIVATE
    if private and read_regular(path) == content:
        return False
    replaced_file(path, content, _PRIVATE, undo)
    return True


def edited_config(path: Path, edit: Callable[[str], str], undo: ExitStack) -> bool:
    """Edit the configuration in place; return whether it changed.

    The file keeps its inode: a stock gateway stops watching a file that is replaced by a rename. A copy of the old text
    lies beside it while it is written.
    """
    before = read_regular(path, LARGEST_CONFIGURATION)
    after = edit(before.decode("utf-8")).encode("utf-8")
    if after == before:
        return False
    copy = backup_path(path)
    undo.callback(_restored, path, before, copy)
    renamed(copy, before, _PRIVATE)
    rewritten(path, after)
    copy.unlink()
    return True


def enabled_config(path: Path, settings: Mapping[str, Any], undo: ExitStack, made_folders: int = 0) -> bool:
    """Enable the plugin in the configuration, and note what a removal has to put back; return whether it changed.

    `made_folders` is the number of folders that were made for `plugins.dir`.
    """

    def edit(text: str) -> str:
        enabled = enabled_text(text, settings)
        if enabled != text:
            note_installation(path, text, enabled, undo, made_folders)
        return enabled

    return edited_config(path, edit, undo)


def disabled_config(path: Path, undo: ExitStack) -> bool:
    """Take the plugin out of the configuration, and delete the record of its installation; return as above."""
    record = Installation.read(path)
    edited = edited_config(path, lambda text: text_without_plugin(text, record), undo)
    forget_installation(path, undo)
    return edited


def removed_libraries(folder: Path, undo: ExitStack) -> list[Path]:
    """Remove every version of the library; return their paths."""
    found = [path for path in sorted(folder.glob(f"{PLUGIN}*")) if _is_ours(path.stem)]
    for path in found:
        deleted_file(path, undo)
    return found


def missing_folders(place: GatewayFolder) -> int:
    """Return how many folders an installation has to make for `plugins.dir`: itself and those above it."""
    root = place.plugins.parents[1]
    return sum(not folder.exists() for folder in (root, *root.parents))


def removed_folders(place: GatewayFolder, record: Installation | None) -> None:
    """Remove the folders of plugins that are empty; one that the configuration names stays, unless we made it."""
    root = place.plugins.parents[1]
    made = record.made_folders if record else 0
    ours = (root, *root.parents)[: made if place.named_root else 1]
    for folder in (place.plugins, place.plugins.parent, *ours):
        if not removed_if_empty(folder):
            return


def newer_library(folder: Path, version: str) -> Path | None:
    """Return the newest of our libraries with a later version than this one, which a gateway would prefer."""
    found = {path: _numbers(path.stem.removeprefix(f"{PLUGIN}-v")) for path in folder.glob(f"{PLUGIN}-v*")}
    later = {path: numbers for path, numbers in found.items() if numbers > _numbers(version)}
    return max(later, key=lambda path: later[path], default=None)


def preferred(newer: Path) -> str:
    """Return the sentence about a newer library in the folder."""
    return (
        f"{newer} is newer, and a gateway loads the newest: remove it with `poolkeeper plugin remove`, or install that "
        "version of Poolkeeper."
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _is_ours(stem: str) -> bool:
    return stem == PLUGIN or stem.startswith(f"{PLUGIN}-v")


def _restored(path: Path, before: bytes, copy: Path) -> None:
    """Set the configuration back to its old text; the copy goes last, so that one of the two is always whole."""
    if path.read_bytes() != before:
        rewritten(path, before)
    copy.unlink(missing_ok=True)
