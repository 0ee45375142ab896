"""The file of the mirrored package's names in use, which `[boundary]` names: symbol to reason. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import ToolError
from ..toml.table import loads


@dataclass(frozen=True, order=True)
class Symbol:
    """A name in a module: `module` dotted, `name` as it is defined there."""

    module: str
    name: str

    def __str__(self) -> str:
        """The dotted name for people."""
        return f"{self.module}.{self.name}"


def parse_list(text: str, shown: str) -> dict[Symbol, str]:
    """Read the list: symbol to reason.

    Raises:
        ToolError: it is not TOML, or not tables of texts.
    """
    try:
        data = loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ToolError(f"{shown} is not valid TOML: {error}", "correct it, then run the gates again") from error
    listed = {}
    for module, names in data.items():
        if not isinstance(names, Mapping) or not all(isinstance(reason, str) for reason in names.values()):
            raise ToolError(f"{shown}: [{module!r}] must be a table of texts", 'write: name = "the reason"')
        listed.update({Symbol(module, name): reason.strip() for name, reason in names.items()})
    return listed
