"""Import statements as `__import__` is given them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class FromStatement(NamedTuple):
    """The arguments of `__import__` that name the imported module."""

    name: object
    wanted: tuple[object, ...]
    level: object
    given: object

    @classmethod
    def of(cls, arguments: Sequence[Any], named: dict[str, Any]) -> FromStatement:
        """Read them as Python does, by place or by name."""
        given = dict(zip(("name", "globals", "locals", "fromlist", "level"), arguments, strict=False)) | named
        wanted = given.get("fromlist")
        names = tuple(wanted) if isinstance(wanted, list | tuple) else ()
        return cls(given.get("name"), names, given.get("level", 0), given.get("globals"))

    @property
    def module(self) -> str:
        """The module's whole name; empty when the arguments give none."""
        if not isinstance(self.name, str):
            return ""
        if not isinstance(self.level, int) or self.level <= 0:
            return self.name
        package = _package(self.given).rsplit(".", self.level - 1)[0] if isinstance(self.given, Mapping) else ""
        return f"{package}.{self.name}".removesuffix(".") if package else ""


def _package(given: Mapping[str, Any]) -> str:
    """The package that relative names start from, found as the import system finds it."""
    package = given.get("__package__")
    if package is None:
        package = getattr(given.get("__spec__"), "parent", None)
    if package is None:
        package = given.get("__name__")
        if isinstance(package, str) and "__path__" not in given:
            package = package.rpartition(".")[0]
    return package if isinstance(package, str) else ""
