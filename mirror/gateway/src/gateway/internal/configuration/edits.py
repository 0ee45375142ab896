"""Edits of a document, and the document they result in.

A path is a sequence of mapping keys and list positions, e.g. ``("claude-api-key", 3, "excluded-models")``. Edits of a
batch are sequential: a position counts in the document that the edits before it have made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.internal.configuration.errors import EditRefused

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Set:
    """Set a value; a missing key is added, with the mappings above it."""

    path: Path
    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert an item into the list at ``path`` before ``index`` (None: at the end). A missing list is made."""

    path: Path
    value: Any = field(repr=False)
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a key or a list item. Comments stay."""

    path: Path


@dataclass(frozen=True, slots=True)
class New:
    """A new item of a list."""

    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Arrange:
    """Set the items of the list at ``path``: a number is the item now at that position, with its comments.

    Items that are not mentioned are removed; their comments stay. A missing list is made.
    """

    path: Path
    items: tuple[int | New, ...]


Edit = Set | Insert | Remove | Arrange


def intended(document: Any, edits: Sequence[Edit]) -> Any:
    """Return the document after the edits; the given one is not modified.

    Raises:
        EditRefused: A path has no target.
    """
    for edit in edits:
        document = _changed({} if document is None else document, edit.path, edit, edit.path)
    return document


def _changed(value: Any, path: Path, edit: Edit, whole: Path) -> Any:
    if not path:
        return _at_target(value, edit)
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        if not isinstance(value, list) or not 0 <= first < len(value):
            raise EditRefused(f"there is no {described(whole)} in the file; read it again")
        items = list(value)
        if isinstance(edit, Remove) and not rest:
            del items[first]
        else:
            items[first] = _changed(items[first], rest, edit, whole)
        return items
    return _changed_key(value, first, rest, edit, whole)


def _changed_key(value: Any, key: str, rest: Path, edit: Edit, whole: Path) -> Any:
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise EditRefused(f"{described(whole)} cannot be set: what stands there is not a mapping")
    members = dict(value)
    if isinstance(edit, Remove):
        if key not in members:
            raise EditRefused(f"there is no {described(whole)} in the file; read it again")
        if not rest:
            del members[key]
            return members
    members[key] = _changed(members.get(key), rest, edit, whole)
    return members


def _at_target(value: Any, edit: Edit) -> Any:
    match edit:
        case Set():
            return edit.value
        case Insert():
            items = [] if value is None else value
            if not isinstance(items, list):
                raise EditRefused(f"{described(edit.path)} is not a list")
            at = len(items) if edit.index is None else edit.index
            if not 0 <= at <= len(items):
                raise EditRefused(f"{described(edit.path)} has no position {at}; read it again")
            return [*items[:at], edit.value, *items[at:]]
        case Arrange():
            return _arranged([] if value is None else value, edit)
        case Remove():
            raise EditRefused("the whole document cannot be removed")


def _arranged(items: Any, edit: Arrange) -> list[Any]:
    if not isinstance(items, list):
        raise EditRefused(f"{described(edit.path)} is not a list")
    positions = [item for item in edit.items if isinstance(item, int)]
    if len(set(positions)) != len(positions) or not all(0 <= at < len(items) for at in positions):
        raise EditRefused(f"{described(edit.path)} has other items by now; read it again")
    return [items[item] if isinstance(item, int) else item.value for item in edit.items]


def entered(edit: Edit) -> Path:
    """Return the path down to which an edit needs the layout; position -1 means no item's inside."""
    return (*edit.path, -1) if isinstance(edit, Arrange) and edit.items else edit.path


def same(left: Any, right: Any) -> bool:
    """Compare two plain values strictly: 1, 1.0 and true differ, and NaN equals itself."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return len(left) == len(right) and all(key in right and same(item, right[key]) for key, item in left.items())
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right or (left != left and right != right))  # noqa: PLR0124 - the test for not-a-number


def described(path: Path) -> str:
    """Format a path for people, e.g. ``claude-api-key[3].excluded-models``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "document"


def first_run(edits: Sequence[Edit]) -> int:
    """Return how many edits from the start can be planned on the same text.

    A run ends before an edit whose path a previous edit may have moved or replaced.
    """
    reaches: set[Path] = set()
    above: set[Path] = set()
    for count, edit in enumerate(edits):
        reach = edit.path[:-1] if isinstance(edit, Remove) else edit.path
        prefixes = [reach[:length] for length in range(len(reach) + 1)]
        if reach in above or any(prefix in reaches for prefix in prefixes):
            return count
        reaches.add(reach)
        above.update(prefixes)
    return len(edits)
