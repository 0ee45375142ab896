"""Files that git takes settings from, those they include, and those of the attributes they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ....project import Project
from ...tree.attributes.sources import attribute_places

_SYSTEM = Path("/etc/gitconfig")
_INCLUDES = ("include.", "includeif.")


class _Setting(NamedTuple):
    """One setting, and the file it stands in; None for one that is in no file."""

    file: Path | None
    name: str
    value: str


def files_of_settings(project: Project, environment: Mapping[str, str]) -> list[Path] | None:
    """Return every file that a setting is read from, there or not; None where a setting comes from elsewhere.

    Raises:
        ToolError: git cannot read its settings.
    """
    found = {_SYSTEM, *_of_the_person(environment)}
    attributes = []
    for setting in _settings(project):
        if setting.file is None:
            return None
        found.add(setting.file)
        if setting.name.startswith(_INCLUDES) and setting.name.endswith(".path"):
            if setting.value.startswith("%("):  # below the folder git was installed in
                return None
            found.add(setting.file.parent / Path(setting.value).expanduser())
        if setting.name == "core.attributesfile":
            attributes.append(setting.value)
    return sorted({*found, *attribute_places(project, attributes)})


def _settings(project: Project) -> Iterator[_Setting]:
    """Yield all settings but those that these tools give git themselves."""
    listed = project.git.run("config", "--list", "--show-scope", "--show-origin", "-z", network=True).stdout
    fields = listed.decode("utf-8", "surrogateescape").split("\0")
    for scope, origin, setting in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        if scope == "command":
            continue
        kind, _, place = origin.partition(":")
        name, _, value = setting.partition("\n")
        # A relative name counts from the top of the repository, where git works.
        yield _Setting(project.top / place if kind == "file" else None, name, value)


def _of_the_person(environment: Mapping[str, str]) -> list[Path]:
    home = Path(environment.get("HOME") or "/").absolute()
    further = Path(environment.get("XDG_CONFIG_HOME") or home / ".config").absolute()
    return [home / ".gitconfig", further / "git/config"]
