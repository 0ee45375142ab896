"""Kinds of places an upstream is fetched from: a folder of bundles, something else on this machine, or elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...project import Project


class Place(NamedTuple):
    """A place as written by a person, and the path it would be on this machine."""

    text: str
    local: Path

    @classmethod
    def of(cls, project: Project, declaration: Declaration, override: str | None = None) -> Place:
        """The declared place (relative to the project), or the one that was named instead (relative to here).

        Raises:
            ToolError: it is empty, or git would take it for an option, and an option of git's can run any command.
        """
        if override is not None and not override.strip():
            raise ToolError("--source names no place", f"without the option, {declaration.url} is taken")
        text = override or declaration.url
        if text.startswith("-"):
            raise ToolError(f"{text!r} is no place to fetch from: it begins with a dash", f"a folder is ./{text}")
        return cls(text, ((Path.cwd() if override else project.root) / _path_of(text)).resolve())

    @property
    def recorded(self) -> str:
        """The place as a lock names it: without the credentials an address may hold."""
        import re

        return re.sub(r"://[^/@]*@", "://", self.text)

    @property
    def is_bundles(self) -> bool:
        """Return whether the place is a folder of bundles, or is empty or not there yet."""
        local = self.local
        if "://" in self.text or (":" in self.text and not local.exists()):
            return False
        return not (local.is_file() or (local / "HEAD").exists() or (local / ".git").exists())

    @property
    def is_local(self) -> bool:
        """Return whether the place is on this machine."""
        return self.local.exists()


def _path_of(text: str) -> str:
    """The path that a place names: that of a `file://` address, else the text as it is."""
    if not text.startswith("file://"):
        return text
    from urllib.parse import unquote, urlsplit

    return unquote(urlsplit(text).path)
