"""Changes of entries that can be taken back to the character, and taking them back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.internal.configuration.applying import applied
from gateway.internal.configuration.document import BYTE_ORDER_MARK, parse_document
from gateway.internal.configuration.edits import Edit, Path, same
from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.inverse import Change, Inverse, Inverses, inverses
from gateway.internal.configuration.regions import put_back


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A change of one entry of a list.

    Attributes:
        entry: Its key in the root and its position.
        edits: What to change.
        back: What to do instead, where it still can be done: take an earlier change back.
    """

    entry: Path
    edits: tuple[Edit, ...]
    back: Inverse | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Reversed:
    """A text after changes, what it says, and what takes each of them back again, by entry."""

    text: str = field(repr=False)
    document: Any = field(repr=False)
    inverses: Inverses = field(repr=False)


def reversibly(text: str, document: Any, changes: Sequence[EntryChange]) -> Reversed:
    """Change entries of a YAML text.

    Args:
        text: With or without byte order mark.
        document: What it says.
        changes: At most one for each entry.

    Raises:
        EditRefused: An edit cannot be made safely.
    """
    text, document, done = _put_back(text, document, changes)
    rest = [edit for change in changes if change.entry not in done for edit in change.edits]
    made: dict[Path, Change] = {}
    if rest:
        text, document = applied(text, document, rest, made)
    return Reversed(text, document, inverses(done | made))


def _put_back(text: str, document: Any, changes: Sequence[EntryChange]) -> tuple[str, Any, dict[Path, Change]]:
    """Take back what can be; where that would mean anything for other entries, nothing is."""
    wanted = {change.entry: change.back for change in changes if change.back is not None}
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    if not wanted:
        return text, document, {}
    try:
        body, done = put_back(text.removeprefix(BYTE_ORDER_MARK), wanted)
        result = parse_document(body) if done else document
    except ConfigurationError:
        return text, document, {}
    goal = _with_entries(document, result, done)
    return (mark + body, goal, done) if done and same(goal, result) else (text, document, {})


def _with_entries(document: Any, result: Any, entries: Collection[Path]) -> Any:
    """Return a document with some entries as another one has them; every other part is the very object it holds."""
    if not isinstance(document, dict) or not isinstance(result, dict):
        return document
    goal = dict(document)
    for key in {entry[0] for entry in entries}:
        items, found = document.get(key), result.get(key)
        if isinstance(items, list) and isinstance(found, list) and len(items) == len(found):
            goal[key] = [
                new if (key, at) in entries else old for at, (old, new) in enumerate(zip(items, found, strict=True))
            ]
    return goal
