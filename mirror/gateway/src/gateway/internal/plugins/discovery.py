"""Programs of the enabled plugins: ``plugins.configs.<id>`` and the executables in ``plugins.dir``."""

import os
import platform
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from gateway.internal.configuration.model import Plugins

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_VERSIONED = re.compile(r"(?P<id>[A-Za-z0-9][A-Za-z0-9._-]*?)(?:-v(?P<version>\d[A-Za-z0-9.+]*))?")
_NUMBER = re.compile(r"\d+")
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


@dataclass(frozen=True, slots=True)
class PluginProgram:
    """The command of an enabled plugin, and its settings as YAML."""

    id: str
    command: tuple[str, ...]
    settings: bytes = field(repr=False)


def plugin_programs(plugins: Plugins) -> tuple[PluginProgram, ...]:
    """Return the programs of the enabled plugins, by name.

    A plugin is started by ``configs.<id>.command`` (a list, or one line), else by the executable ``<id>`` or
    ``<id>-v<version>`` in ``plugins.dir`` or in its folder ``<os>/<architecture>``; of several versions the highest,
    unless ``store.version`` pins one. A plugin without either only has settings for others, and is not started.
    """
    if not plugins.enabled:
        return ()
    programs = []
    for name, settings in sorted(plugins.configs.items()):
        if not ID.fullmatch(name) or settings.get("enabled") is not True:
            continue
        command = _command(settings.get("command")) or _executable(Path(plugins.dir), name, _pinned(settings))
        if command:
            text = yaml.safe_dump(dict(settings), allow_unicode=True, sort_keys=False)
            programs.append(PluginProgram(name, command, text.encode()))
    return tuple(programs)


def _command(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            return tuple(shlex.split(value))
        except ValueError:
            return ()
    if isinstance(value, Sequence) and all(isinstance(part, str) for part in value):
        return tuple(value)
    return ()


def _pinned(settings: Mapping[str, object]) -> str:
    store = settings.get("store")
    version = store.get("version") if isinstance(store, Mapping) else None
    return str(version) if version else ""


def _executable(folder: Path, name: str, pinned: str) -> tuple[str, ...]:
    machine = platform.machine().lower()
    places = (folder / platform.system().lower() / _ARCHITECTURES.get(machine, machine), folder)
    candidates = [
        (_order(match["version"] or ""), path)
        for place in places
        for path in _files(place)
        if (match := _VERSIONED.fullmatch(path.name)) and match["id"] == name and pinned in ("", match["version"] or "")
    ]
    return (str(max(candidates)[1].absolute()),) if candidates else ()


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_file() and os.access(path, os.X_OK)]
    except OSError:
        return []


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in _NUMBER.findall(version))
