"""Difference between a list of config.yaml and a goal, as edits.

Existing entries, recognized by identity, keep their lines, comments, quoting and unknown keys; only differing fields
are edited.
"""

import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from gateway.internal.configuration.edits import Arrange, Edit, New, Path, Remove, Set
from gateway.internal.configuration.shapes import Field, ListOf, Shape, Structure, TextMap, WrongShape, read_yaml, zero

Identity = Callable[[Any], object]
_NAMES = ("api-key", "name", "alias")


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of config.yaml.

    Attributes:
        path: Its place.
        item: Shape of its items.
        raw: The items as written.
        hidden: Positions of items that are not compared and stay in place.
        tidy: Normalizes a list of items and drops those without content.
    """

    path: Path
    item: Shape
    raw: Sequence[Any]
    hidden: frozenset[int] = frozenset()
    tidy: Callable[[Any], Any] | None = None

    def normal(self, at: int) -> Any:
        """Return the normal form of an item, or None."""
        try:
            value = read_yaml(self.item, self.raw[at])
        except WrongShape:
            return None
        if self.tidy is None:
            return value
        tidied = self.tidy([value])
        return tidied[0] if tidied else None


def list_edits(listed: Listed, goal: Sequence[Any], places: Sequence[int | None] | None = None) -> list[Edit]:
    """Return the edits that make a list equal the goal; [] when it is equal already.

    Args:
        listed: The current list.
        goal: Its new items, in normal form.
        places: Position of the current item for each new one, None for a new item; by default they are matched.
    """
    groups, arrangement = _list_groups(listed, goal, places)
    layers = zip_longest(*groups)
    return [edit for edit in chain(chain.from_iterable(layers), arrangement) if edit is not None]


def entry_edits(path: Path, shape: Structure, raw: Mapping[str, Any], goal: Mapping[str, Any]) -> list[Edit]:
    """Return the edits after which the goal is the normal form of a structure."""
    now = read_yaml(shape, raw)
    edits: list[Edit] = []
    for field in shape.fields:
        if now.get(field.name) != goal.get(field.name) or (field.name in now) != (field.name in goal):
            edits += _field_edits((*path, field.name), field, raw, goal)
    return edits


def _list_groups(
    listed: Listed, goal: Sequence[Any], places: Sequence[int | None] | None
) -> tuple[list[list[Edit]], list[Edit]]:
    normals = [None if at in listed.hidden else listed.normal(at) for at in range(len(listed.raw))]
    matches = matched(normals, goal) if places is None else places
    groups = []
    for at, item in zip(matches, goal, strict=True):
        if at is not None and normals[at] != item:
            place, raw = (*listed.path, at), listed.raw[at]
            if isinstance(listed.item, Structure) and isinstance(raw, dict):
                groups.append(entry_edits(place, listed.item, raw, item))
            else:
                groups.append([Set(place, item)])
    items: list[int | New] = [New(item) if at is None else at for at, item in zip(matches, goal, strict=True)]
    for at in sorted(listed.hidden):
        items.insert(_place_of_hidden(items, at), at)
    if items == list(range(len(listed.raw))):
        return groups, []
    return groups, [Arrange(listed.path, tuple(items))]


def _place_of_hidden(items: Sequence[int | New], at: int) -> int:
    """Return the new index of a hidden item: behind the nearest remaining item before it."""
    before = [item for item in items if isinstance(item, int) and item < at]
    return items.index(max(before)) + 1 if before else 0


def matched(normals: Sequence[Any], goal: Sequence[Any]) -> list[int | None]:
    """Return for each item of the goal the position of the matching item, None for a new one.

    Equal items match first (in the same position, if possible), then items with the same key and base URL, then those
    with the same key or name.
    """
    both = zip(normals, goal, strict=False)
    positions: list[int | None] = [at if normal == item else None for at, (normal, item) in enumerate(both)]
    positions += [None] * (len(goal) - len(positions))
    free = {at for at, normal in enumerate(normals) if normal is not None}.difference(positions)
    for identity in (_whole, _key_and_base, _key):
        waiting: defaultdict[object, deque[int]] = defaultdict(deque)
        for at in sorted(free):
            name = identity(normals[at])
            if name is not None:
                waiting[name].append(at)
        for number, item in enumerate(goal):
            name = identity(item) if positions[number] is None else None
            if name is not None and waiting[name]:
                at = waiting[name].popleft()
                positions[number] = at
                free.discard(at)
        if not free:
            break
    return positions


def _whole(normal: Any) -> object:
    return json.dumps(normal, sort_keys=True)


def _key_and_base(normal: Any) -> object:
    if not isinstance(normal, dict):
        return None
    names = tuple(normal.get(name, "") for name in (*_NAMES, "base-url"))
    return names if any(names) else None


def _key(normal: Any) -> object:
    if not isinstance(normal, dict):
        return None
    return next(((name, normal[name]) for name in _NAMES if normal.get(name)), None)


def _field_edits(path: Path, field: Field, raw: Mapping[str, Any], goal: Mapping[str, Any]) -> Iterator[Edit]:
    written = raw.get(field.name)
    if field.name not in goal:
        if field.name in raw:
            yield Set(path, zero(field.shape)) if field.stays else Remove(path)
        return
    value = goal[field.name]
    if isinstance(field.shape, Structure) and isinstance(written, dict):
        yield from entry_edits(path, field.shape, written, value)
    elif isinstance(field.shape, ListOf) and isinstance(written, list) and written:
        yield from list_edits(Listed(path, field.shape.item, written, tidy=field.tidy), value)
    elif isinstance(field.shape, TextMap) and isinstance(written, dict) and written:
        yield from map_edits(path, written, value)
    else:
        yield Set(path, value)


def map_edits(path: Path, written: Mapping[Any, Any], goal: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edits that make a mapping of plain values equal the goal."""
    for name, value in goal.items():
        if name not in written or written[name] != value:
            yield Set((*path, name), value)
    for name in written:
        if name not in goal:
            yield Remove((*path, name))
