"""Routes found so far in Go source, with conditions and refusals, while functions are read."""

from __future__ import annotations

from .packages import Universe
from .scope import Prefixes

Call = tuple[str, str, tuple[Prefixes | None, ...], tuple[str, ...]]
Callee = tuple[str, str, str]
"""Folder, type of the receiver, name of the function."""


class RouteRegistry:
    """Gathers the routes that functions register.

    `unread` counts registrations whose path is not a constant text; `conditions` holds a condition for each route
    that is never registered without one, `refusals` the answer of each route that only ever refuses.
    """

    def __init__(self, universe: Universe) -> None:
        """Take the tree that is read."""
        self.universe = universe
        self.found: set[tuple[str, str]] = set()
        self.conditions: dict[tuple[str, str], str] = {}
        self.refusals: dict[tuple[str, str], str] = {}
        self.unread: set[str] = set()
        self._done: set[Call] = set()
        self._calls: dict[Callee, set[tuple[str, ...]]] = {}

    def add(self, route: tuple[str, str], conditions: tuple[str, ...], refused: str = "") -> None:
        """Take a route; one registration without a condition is enough, and one that does not refuse."""
        known = route in self.found
        if not conditions:
            self.conditions.pop(route, None)
        elif not known:
            self.conditions[route] = " and ".join(conditions)
        if not refused:
            self.refusals.pop(route, None)
        elif not known:
            self.refusals[route] = refused
        self.found.add(route)

    def begin(self, call: Call) -> bool:
        """Return whether a function is read with these groups for the first time."""
        first = call not in self._done
        self._done.add(call)
        return first

    def note_call(self, callee: Callee, conditions: tuple[str, ...]) -> None:
        """Keep the conditions under which a function is called without a group."""
        self._calls.setdefault(callee, set()).add(conditions)

    def begin_pass(self) -> dict[Callee, tuple[str, ...]]:
        """Forget the routes; return the conditions of the functions that the last pass saw called only under some."""
        self._done.clear()
        self.found.clear()
        self.conditions.clear()
        self.refusals.clear()
        calls, self._calls = self._calls, {}
        return {callee: min(seen) for callee, seen in calls.items() if () not in seen}
