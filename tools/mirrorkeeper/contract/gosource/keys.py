"""The yaml keys of a Go configuration structure, nested ones included. Pure over a parsed tree."""

from __future__ import annotations

from collections.abc import Iterator

from .packages import Package, Universe
from .syntax import Field, GoFile, bare_type, parse_file

_DEEPEST = 12
_KINDS = {
    "string": "string",
    "bool": "boolean",
    **dict.fromkeys(
        ("int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"), "integer"
    ),
    **dict.fromkeys(("float32", "float64"), "float"),
    "time.Duration": "duration",
}
_STARTS = {"[": "sequence", "map[": "mapping", "struct": "mapping"}


def configuration_keys(universe: Universe, package: Package, name: str = "Config") -> dict[str, str]:
    """All keys of the structure `name`, each with its type in YAML's words; empty where it cannot be read.

    Dots stand between levels, `[]` for the items of a list, `*` for any name.
    """
    keys: dict[str, str] = {}
    for key, kind in _KeyReader(universe).structure(package, name, "", ()):
        keys[key] = kind if keys.get(key, kind) == kind else ""
    return keys


class _KeyReader:
    """Follows types through aliases, pointers, lists, mappings and packages."""

    def __init__(self, universe: Universe) -> None:
        self._universe = universe

    def structure(self, package: Package, name: str, above: str, seen: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Yield the keys of a named type below `above`; a type within itself is not followed again."""
        place = f"{package.folder}.{name}"
        if place in seen or len(seen) > _DEEPEST:
            return
        found = package.structure(name)
        if found is not None:
            file, fields = found
            for one in fields:
                yield from self._field(package, file, one, above, (*seen, place))
            return
        alias = package.alias(name)
        if alias is not None:
            yield from self._type(package, alias[0], alias[1], above, (*seen, place))

    def _field(
        self, package: Package, file: GoFile, one: Field, above: str, seen: tuple[str, ...]
    ) -> Iterator[tuple[str, str]]:
        key, _, options = one.tags.get("yaml", "").partition(",")
        if "inline" in options.split(","):
            yield from self._type(package, file, one.type, above, seen)
            return
        # Without a tag the library takes the name in small letters; what is not exported it never reads.
        name = one.name or bare_type(one.type).rpartition(".")[2]
        if key == "-" or not name[:1].isupper():
            return
        full = f"{above}.{key or name.lower()}" if above else key or name.lower()
        yield full, self._kind(package, file, one.type, 0)
        yield from self._type(package, file, one.type, full, seen)

    def _kind(self, package: Package, file: GoFile, written: str, depth: int) -> str:
        """Return the type of a value in YAML's words, followed through named types."""
        kind = bare_type(written)
        known = _KINDS.get(kind) or next((name for start, name in _STARTS.items() if kind.startswith(start)), "")
        if known or depth > _DEEPEST:
            return known
        if "." in kind:
            other = self._universe.imported(file, kind.partition(".")[0])
            return self._named(other, kind.partition(".")[2], depth) if other is not None else ""
        return self._named(package, kind, depth)

    def _named(self, package: Package, name: str, depth: int) -> str:
        if package.structure(name) is not None:
            return "mapping"
        alias = package.alias(name)
        return self._kind(package, alias[0], alias[1], depth + 1) if alias is not None else ""

    def _type(
        self, package: Package, file: GoFile, written: str, above: str, seen: tuple[str, ...]
    ) -> Iterator[tuple[str, str]]:
        kind = bare_type(written)
        if kind.startswith("struct"):
            anonymous = parse_file(f"package p\ntype T {kind}\n".encode()).structures.get("T", ())
            for one in anonymous:
                yield from self._field(package, file, one, above, seen)
        elif kind.startswith("["):
            yield from self._type(package, file, kind.partition("]")[2], f"{above}[]", seen)
        elif kind.startswith("map["):
            yield from self._type(package, file, _map_value(kind), f"{above}.*", seen)
        elif "." in kind:
            alias, _, name = kind.partition(".")
            other = self._universe.imported(file, alias)
            if other is not None:
                yield from self.structure(other, name, above, seen)
        elif kind.isidentifier():
            yield from self.structure(package, kind, above, seen)


def _map_value(kind: str) -> str:
    """The value's type in `map[K]V`; K may hold brackets itself."""
    depth = 0
    for at, sign in enumerate(kind):
        depth += (sign == "[") - (sign == "]")
        if sign == "]" and depth == 0:
            return kind[at + 1 :]
    return ""
