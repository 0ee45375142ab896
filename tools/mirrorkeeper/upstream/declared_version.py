"""The version that a project says it has, in the file its language keeps it in."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..errors import ToolError
from ..git.command import Git

_FILES: Final[Mapping[str, tuple[Callable[[str], Any], tuple[str, ...]]]] = {
    "pyproject.toml": (tomllib.loads, ("project", "version")),
    "Cargo.toml": (tomllib.loads, ("package", "version")),
    "package.json": (json.loads, ("version",)),
}
"""Parser of each file, and the place of the version in it. Go has no such file: its tags are the version."""


def check_declared_version(git: Git, version: str) -> None:
    """Make sure that a release is named as the project at HEAD names itself; one that says nothing may be called so.

    Raises:
        ToolError: a file at the top of the project says another version.
    """
    for name, (parse, keys) in _FILES.items():
        shown = git.run("cat-file", "blob", f"HEAD:{name}", check=False)
        declared = _declared(shown.stdout, parse, keys) if shown.status == 0 else None
        if declared not in (None, version):
            raise ToolError(
                f"{name} says version {declared}, and the release would be {version}",
                f"set it to {version} there and wherever else it stands, commit, and publish again",
            )


def _declared(content: bytes, parse: Callable[[str], Any], keys: tuple[str, ...]) -> str | None:
    try:
        found = parse(content.decode("utf-8"))
    except ValueError:  # a broken file is the project's own matter
        return None
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) else None
