"""Copy of the configuration that an edit leaves behind when its process is killed."""

from enum import Enum
from pathlib import Path

from adapter.rules.config_text import ConfigTextInvalid, config_values, section
from extension.plugin.install.config_edit import PLUGIN, EditRefused, enabled_text, removed_text
from extension.plugin.install.file_changes import rewritten


class EditInterrupted(Exception):  # noqa: N818 - the name is the condition
    """A copy of an earlier edit differs from the configuration for another reason; the message names both files."""


class Leftover(Enum):
    """Relation of a copy to the configuration beside it."""

    FINISHED = "the edit was made whole or not begun"
    TORN = "the edit was half made"
    UNKNOWN = "the configuration was changed otherwise"


def backup_path(config: Path) -> Path:
    """Return the place of the copy that exists while the configuration is written."""
    return config.with_name(f".{config.name}.poolkeeper-backup")


def settle_interrupted_edit(config: Path) -> bool:
    """Finish an edit that was interrupted; return whether the configuration was set back to its copy.

    Raises:
        EditInterrupted: the configuration was changed since, so that a person has to choose.
    """
    copy = backup_path(config)
    if not copy.is_file():
        return False
    before, now = copy.read_bytes(), config.read_bytes()
    left = leftover(before, now)
    if left is Leftover.UNKNOWN:
        raise EditInterrupted(
            f"An interrupted installation left the copy {copy}, and {config} was changed since: compare the two, keep"
            f" the right text in {config.name}, and delete the copy."
        )
    if left is Leftover.TORN:
        rewritten(config, before)
    copy.unlink()
    return left is Leftover.TORN


def leftover(before: bytes, now: bytes) -> Leftover:
    """Decide what an edit of `before` that ended as `now` was."""
    if now == before:
        return Leftover.FINISHED
    try:
        removed = removed_text(before.decode("utf-8")).encode()
    except (EditRefused, UnicodeDecodeError):
        removed = before
    if now == removed:
        return Leftover.FINISHED
    if now == removed + before[len(removed) :]:
        return Leftover.TORN
    try:
        settings = section(config_values(now.decode("utf-8")), "plugins", "configs", PLUGIN)
    except (ConfigTextInvalid, UnicodeDecodeError):
        return Leftover.TORN
    given = [(name, value) for name, value in settings.items() if name != "enabled"]
    for ordered in (given, given[::-1]):  # an edit puts a new setting first in block style and last in flow style
        try:
            if now == enabled_text(before.decode("utf-8"), dict(ordered)).encode():
                return Leftover.FINISHED
        except (EditRefused, UnicodeDecodeError):
            return Leftover.UNKNOWN
    return Leftover.UNKNOWN
