"""Copy of the configuration that an edit leaves behind when its process is killed."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any

from adapter.rules.config_text import ConfigTextInvalid, config_values, section
from extension.plugin.install.config_edit import PLUGIN, EditRefused, enabled_text
from extension.plugin.install.file_changes import rewritten
from extension.plugin.install.installation_record import Installation, text_without_plugin


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
    left = leftover(before, now, Installation.read(config))
    if left is Leftover.UNKNOWN:
        raise EditInterrupted(
            f"An interrupted installation left the copy {copy}, and {config} was changed since: compare the two, keep"
            f" the right text in {config.name}, and delete the copy."
        )
    if left is Leftover.TORN:
        rewritten(config, before)
    copy.unlink()
    return left is Leftover.TORN


def leftover(before: bytes, now: bytes, record: Installation | None = None) -> Leftover:
    """Decide what an edit of `before` that ended as `now` was; `record` is that of the installation before it."""
    try:
        removed = text_without_plugin(before.decode("utf-8"), record).encode()
    except (EditRefused, UnicodeDecodeError):
        removed = before
    if now in {before, removed}:
        return Leftover.FINISHED
    if now == removed + before[len(removed) :]:
        return Leftover.TORN
    try:
        values = config_values(now.decode("utf-8"))
    except (ConfigTextInvalid, UnicodeDecodeError):
        return Leftover.TORN
    settings = section(values, "plugins", "configs", PLUGIN)
    return Leftover.FINISHED if now in _enabled(before, settings) else Leftover.UNKNOWN


def _enabled(before: bytes, settings: Mapping[str, Any]) -> Iterator[bytes]:
    """Give the texts that an edit may have written: a new setting comes first in block style and last in flow style."""
    given = [(name, value) for name, value in settings.items() if name != "enabled"]
    for ordered in (given, given[::-1]):
        with suppress(EditRefused, UnicodeDecodeError):
            yield enabled_text(before.decode("utf-8"), dict(ordered)).encode()
