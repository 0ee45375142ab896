"""The gin routes of a Go package, by following router groups through variables, fields, functions and packages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from .calls import ends_at_start, handed_over, uncalled, unmade
from .packages import Package
from .reading import FunctionReading
from .registry import RouteRegistry
from .scope import GoScope, Prefixes
from .syntax import Function, Parameter

_DEEPEST = 10


def _none(_package: Package) -> Collection[str]:
    return ()


def _always(_package: Package) -> bool:
    return True


class _DeadCode(NamedTuple):
    """The functions and types of a package that nothing uses, and a reason why none of it runs, or an empty one."""

    functions: frozenset[str]
    types: frozenset[str]
    whole: str

    @classmethod
    def of(cls, package: Package, mentioned: Collection[str], imported: Callable[[Package], bool]) -> _DeadCode:
        """Find them."""
        lost = not package.is_main and not imported(package)
        whole = f"nothing imports {package.folder or 'the package'}" if lost else ""
        return cls(
            uncalled(package, mentioned), unmade(package), "init ends the program" if ends_at_start(package) else whole
        )

    def reason(self, function: Function) -> str:
        """Return why a function never runs; empty when it may."""
        if function.name in self.functions:
            return f"nothing calls {function.name}"
        unused = function.receiver.type in self.types
        return f"nothing uses the type {function.receiver.type}" if unused else self.whole


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
        dead = {package.folder: _DeadCode.of(package, names, imported) for package, names in chosen}
        free = {package.folder: names | handed_over(package) for package, names in chosen}
        fields: dict[tuple[str, str, str], Prefixes] = {}
        settled: object = None
        for _ in range(_DEEPEST):
            before, called = dict(fields), self.begin_pass()
            for package, _names in chosen:
                for function in package.bodies:
                    if any(_is_group(one) for one in function.parameters):
                        continue
                    condition = called.get((package.folder, function.receiver.type, function.name), ())
                    reason = dead[package.folder].reason(function)
                    if reason or function.name in free[package.folder]:
                        condition = (reason,) if reason else ()
                    FunctionReading(self, package, function, fields).run(GoScope(), 0, condition)
            if (before, called) == (fields, settled):
                return
            settled = called


def _is_group(parameter: Parameter) -> bool:
    return parameter.type.endswith(("gin.RouterGroup", "gin.IRouter", "gin.IRoutes"))
