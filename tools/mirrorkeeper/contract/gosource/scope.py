"""The names in scope while a Go function is read: router groups by prefix, texts by value. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

Prefixes = frozenset[str]
"""All prefixes a router group may have; more than one where a field is set in several places."""


@dataclass
class GoScope:
    """The names of one block; those of the blocks around it show through."""

    above: GoScope | None = None
    groups: dict[str, Prefixes | None] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)
    verbs: dict[str, tuple[str, Prefixes]] = field(default_factory=dict)
    idle: set[str] = field(default_factory=set)

    def group(self, name: str) -> Prefixes | None:
        """The prefixes of a group variable; None for any other name."""
        at = self._holder(name)
        return at.groups.get(name) if at else None

    def text(self, name: str) -> str | None:
        """The value of a text variable; None when it is not known."""
        at = self._holder(name)
        return at.texts.get(name) if at else None

    def verb(self, name: str) -> tuple[str, Prefixes] | None:
        """The method and the prefixes of a variable that holds a group's method, as in `get := group.GET`."""
        at = self._holder(name)
        return at.verbs.get(name) if at else None

    def leave_idle(self, name: str) -> None:
        """Let a name of this block be none of a group: it holds an engine of its own that nothing serves."""
        self.groups[name] = None
        self.idle.add(name)

    def is_idle(self, name: str) -> bool:
        """Return whether a variable holds an engine that nothing serves."""
        at = self._holder(name)
        return at is not None and name in at.idle

    def hold(self, name: str, verb: tuple[str, Prefixes]) -> None:
        """Let a declared variable hold a group's method."""
        (self._holder(name) or self).verbs[name] = verb

    def knows(self, name: str) -> bool:
        """Return whether a name is declared here or around, and hides the package's own."""
        return self._holder(name) is not None

    def declare(self, name: str, prefixes: Prefixes | None, text: str | None) -> None:
        """Declare a name in this block."""
        self.verbs.pop(name, None)
        self.idle.discard(name)
        self.groups[name] = prefixes
        self.texts[name] = text

    def assign(self, name: str, prefixes: Prefixes | None, text: str | None) -> None:
        """Give a declared name another value, in the block it was declared in."""
        (self._holder(name) or self).declare(name, prefixes, text)

    def _holder(self, name: str) -> GoScope | None:
        at: GoScope | None = self
        while at is not None and name not in at.groups:
            at = at.above
        return at


def join(prefix: str, path: str) -> str:
    """Join as gin does: one slash between, one at the end kept."""
    if not path:
        return prefix or "/"
    parts = [part for part in f"{prefix}/{path}".split("/") if part]
    joined = "/" + "/".join(parts)
    return joined + "/" if path.endswith("/") and joined != "/" else joined
