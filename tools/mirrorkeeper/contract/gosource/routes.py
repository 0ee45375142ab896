"""The gin routes of a Go package, by following router groups through variables, fields, functions and packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

from ...golang.nodes import text_of
from .conditions import uncalled
from .packages import Package
from .reading import FunctionReading
from .registry import RouteRegistry
from .scope import GoScope, Prefixes
from .syntax import Parameter

_DEEPEST = 10
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`')
_NOT_CALLED = re.compile(r"\b([A-Za-z_]\w*)\b(?!\s*(?:\[[\w., *\[\]]*\]\s*)?\()")


def _none(_package: Package) -> Collection[str]:
    return ()


def _always(_package: Package) -> bool:
    return True


class Routes(RouteRegistry):
    """Reads packages one after the other and gathers the routes they register.

    A group that comes in as a parameter has the prefix of the caller; a function without such a caller registers
    nothing. An engine is a group without prefix.
    """

    def read(
        self,
        packages: Iterable[Package],
        mentioned: Callable[[Package], Collection[str]] = _none,
        imported: Callable[[Package], bool] = _always,
    ) -> None:
        """Read packages; until fields that hold groups and conditions of calls have settled, each is read again.

        Args:
            packages: the packages that register routes.
            mentioned: names of a package's functions that other packages mention.
            imported: whether any other package imports a package.
        """
        chosen = [(package, frozenset(mentioned(package))) for package in packages]
        lost = {package.folder for package, _ in chosen if not package.is_main and not imported(package)}
        silent = {package.folder: uncalled(package, names) for package, names in chosen}
        free = {package.folder: names | _values(package) for package, names in chosen}
        fields: dict[tuple[str, str, str], Prefixes] = {}
        settled: object = None
        for _ in range(_DEEPEST):
            before, called = dict(fields), self.begin_pass()
            for package, _names in chosen:
                for function in package.bodies:
                    if any(_is_group(one) for one in function.parameters):
                        continue
                    condition = called.get((package.folder, function.receiver.type, function.name), ())
                    if function.name in silent[package.folder]:
                        condition = (f"nothing calls {function.name}",)
                    elif package.folder in lost:
                        condition = (f"nothing imports {package.folder or 'the package'}",)
                    elif function.name in free[package.folder]:
                        condition = ()
                    FunctionReading(self, package, function, fields).run(GoScope(), 0, condition)
            if (before, called) == (fields, settled):
                return
            settled = called


def _is_group(parameter: Parameter) -> bool:
    return parameter.type.endswith(("gin.RouterGroup", "gin.IRouter", "gin.IRoutes"))


def _values(package: Package) -> frozenset[str]:
    """The names that a package uses other than by a call, such as functions that are handed over."""
    return frozenset(name for one in package.bodies for name in _NOT_CALLED.findall(_TEXT.sub("", text_of(one.body))))
