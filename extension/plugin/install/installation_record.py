"""Record of an installation: the lines of config.yaml that it put in place of others, so that a removal undoes them.

Theory of operation. An edit in flow style writes a mapping anew, and no style tells later which keys were there before.
The record lies beside the configuration. A removal puts the former lines back where the section is as the installation
left it; a section that was changed since keeps everything but our own settings.
"""

import json
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from adapter.rules.config_text import ConfigTextInvalid, config_values, section
from extension.plugin.install.config_edit import CONFIGS, MARK, PLUGIN, removed_text
from extension.plugin.install.file_changes import deleted_file, replaced_file
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular

_PRIVATE: Final = 0o600
_ROOT: Final = CONFIGS[0]


@dataclass(frozen=True, slots=True)
class Installation:
    """Whole lines before and after; the rest says what the section held before: `had_own` is a part made by hand.

    `made_folders` counts the folders made for `plugins.dir`: itself and those above it.
    """

    before: str
    after: str
    had_configs: bool
    others: list[str]
    had_own: bool = False
    made_folders: int = 0

    @classmethod
    def between(cls, before: str, after: str, made_folders: int = 0) -> Self:
        """Return the installation that made one text of another."""
        start = _common(before, after)
        start = before.rfind("\n", 0, start) + 1
        most = min(len(before), len(after)) - start
        same = min(_common(before[::-1], after[::-1]), most)
        line_end = before.find("\n", len(before) - same)
        end = len(before) - line_end - 1 if line_end >= 0 else 0
        had = "configs" in section(_values(before), _ROOT)
        own = PLUGIN in section(_values(before), *CONFIGS)
        lines = before[start : len(before) - end], after[start : len(after) - end]
        return cls(*lines, had, _others(before), own, made_folders)

    @classmethod
    def read(cls, config: Path) -> Self | None:
        """Return the record beside a configuration; None without a usable one."""
        try:
            found = json.loads(read_regular(record_path(config), LARGEST_CONFIGURATION))
            texts, had = (str(found["before"]), str(found["after"])), bool(found["had_configs"])
            made = int(found.get("made_folders", 0))
            return cls(*texts, had, list(found["others"]), bool(found.get("had_own")), made)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def undone(self, text: str) -> str | None:
        """Return the text with the former lines; None where that would change more than the installation did."""
        at = text.find(self.after)
        if at < 0 or text.find(self.after, at + 1) >= 0 or (at and text[at - 1] != "\n"):
            return None
        above, below = text[:at], text[at + len(self.after) :]
        whole = self.after.endswith("\n")
        if not whole and below[:1].strip():
            return None
        # lines that were written behind a text that had no newline at its end
        glued = whole and below and self.before and not self.before.endswith("\n")
        newline = ("\r\n" if above.endswith("\r\n") else "\n") if glued else ""
        former = above + self.before + newline + below
        try:
            now, then = _values(text), _values(former)
        except ConfigTextInvalid:
            return None
        others, others_then = (
            {name: value for name, value in section(values, *CONFIGS).items() if name != PLUGIN}
            for values in (now, then)
        )
        elsewhere = {**now, _ROOT: None} == {**then, _ROOT: None}
        return former if elsewhere and others == others_then and _others(text) == self.others else None


def record_path(config: Path) -> Path:
    """Return the place of the record of a configuration."""
    return config.with_name(f".{config.name}.poolkeeper-installed")


def note_installation(config: Path, before: str, after: str, undo: ExitStack, made_folders: int = 0) -> None:
    """Write the record of an edit; an installation over an earlier one keeps the text before the first."""
    path = record_path(config)
    if PLUGIN in section(_values(before), *CONFIGS) and not _is_made_by_hand(before):
        earlier = Installation.read(config)
        first = earlier.undone(before) if earlier else None
        if first is None:
            forget_installation(config, undo)
            return
        before, made_folders = first, max(made_folders, earlier.made_folders if earlier else 0)
    content = json.dumps(asdict(Installation.between(before, after, made_folders)), ensure_ascii=False, indent=1)
    replaced_file(path, f"{content}\n".encode(), _PRIVATE, undo)


def forget_installation(config: Path, undo: ExitStack) -> None:
    """Delete the record, if there is one."""
    path = record_path(config)
    if path.is_file() and not path.is_symlink():
        deleted_file(path, undo)


def text_without_plugin(text: str, record: Installation | None) -> str:
    """Return the text without the plugin: as before its installation, or else without its own settings.

    Raises:
        EditRefused: the text cannot be edited safely.
    """
    former = record.undone(text) if record else None
    if former is not None:
        return former
    if record and record.had_own and _is_made_by_hand(text):
        return text
    return removed_text(text, added_configs=record is not None and not record.had_configs)


def _common(one: str, other: str) -> int:
    """Return the length of the beginning that two texts share."""
    shared, limit = 0, min(len(one), len(other))
    while shared < limit:
        middle = (shared + limit + 1) // 2
        if one[shared:middle] == other[shared:middle]:
            shared = middle
        else:
            limit = middle - 1
    return shared


def _values(text: str) -> dict[object, object]:
    return config_values(text.removeprefix(MARK))


def _is_made_by_hand(text: str) -> bool:
    """Return whether our own part is there, but of no installation: each sets the command, or a pin of the store."""
    configs = section(_values(text), *CONFIGS)
    return PLUGIN in configs and not {"command", "store"} & set(section(configs, PLUGIN))


def _others(text: str) -> list[str]:
    return sorted(str(name) for name in section(_values(text), *CONFIGS) if name != PLUGIN)
