"""Modules of Python's own library that are loaded when somebody uses them, so that short commands start fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


def _inspect() -> ModuleType:
    import inspect

    return inspect


def _ipaddress() -> ModuleType:
    import ipaddress

    return ipaddress


def _locale() -> ModuleType:
    import locale

    return locale


SELDOM_USED: Mapping[str, Callable[[], ModuleType]] = {
    "inspect": _inspect,
    "ipaddress": _ipaddress,
    "locale": _locale,
}
"""Imported by modules that need them in rare cases only: `dataclasses` for classes without a docstring, `urllib.parse`
for addresses in brackets, `subprocess` for texts. A sixth of a quick command."""


class DeferredModule(ModuleType):
    """Stands for a module until one of its names is asked for; then that module takes its place."""

    def __init__(self, name: str, load: Callable[[], ModuleType]) -> None:
        """Take the name and what imports the module."""
        super().__init__(name)
        self._load = load

    def __getattr__(self, name: str) -> Any:
        """Load the module; its names are then here as well, for whoever imported this stand-in."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        module = self._load()
        vars(self).update(vars(module))
        return getattr(module, name)


def defer(modules: Mapping[str, Callable[[], ModuleType]] = SELDOM_USED) -> None:
    """Let `import` of these modules cost nothing until one of their names is used; those loaded already stay."""
    for name, load in modules.items():
        if name not in sys.modules:
            sys.modules[name] = DeferredModule(name, load)
