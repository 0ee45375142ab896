"""Edits of a YAML text: only the affected places change, and the result is verified.

Theory of operation: edits are planned as patches on the layout of the text, in runs that do not overlap. The result is
parsed again and must equal the intended document. Changes of single entries can be reversed to the character, as long
as the entry's text is unchanged.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.internal.configuration import scalars
from gateway.internal.configuration.document import BYTE_ORDER_MARK, parse_document
from gateway.internal.configuration.edits import Edit, Path, entered, first_run, intended, same
from gateway.internal.configuration.errors import ConfigurationError, EditRefused
from gateway.internal.configuration.inverse import Change, Inverse, Inverses, inverses
from gateway.internal.configuration.layout import Node, lay_out, place_tree
from gateway.internal.configuration.patching import Patcher
from gateway.internal.configuration.source import Patch, Source


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with the edits made; every other character stays, comments included.

    Args:
        text: A YAML document, with or without byte order mark, with any line endings.
        edits: Each applies to the document produced by the ones before it.

    Raises:
        EditRefused: An edit has no target, or the text has a form in which it cannot be made safely.
        ConfigurationError: The text is not valid YAML.
    """
    return applied(text, parse_document(text), edits)[0] if edits else text


def applied(
    text: str, document: Any, edits: Sequence[Edit], changes: dict[Path, Change] | None = None
) -> tuple[str, Any]:
    """Return the text with the edits made, and its document; see ``apply``.

    Parts of the document outside the edits are the same objects as before.

    Args:
        text: As for ``apply``.
        document: Its document, as ``parse_document`` returns it.
        edits: As for ``apply``.
        changes: Receives the text before and after of each edited list entry.

    Raises:
        EditRefused: As for ``apply``.
    """
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    body = text.removeprefix(BYTE_ORDER_MARK)
    goal = intended(document, edits)
    rest = list(edits)
    try:
        while rest:
            body, done = _one_run(body, rest[: first_run(rest)], changes)
            rest = rest[done:]
        result = parse_document(body)
    except ConfigurationError as error:
        raise EditRefused(
            f"the file is written in a form this gateway does not edit ({error}); edit it by hand"
        ) from None
    if not same(result, goal):
        raise EditRefused("the change would alter other places of the file as well (a shared anchor?); edit it by hand")
    return mark + body, goal


def _one_run(text: str, edits: Sequence[Edit], changes: dict[Path, Change] | None) -> tuple[str, int]:
    """Make the first edits that do not overlap; return the new text and their number."""
    source = Source.of(text)
    root = lay_out(text, place_tree(map(entered, edits)))
    if root is None or (root.kind == "scalar" and not root.value):
        return _first_content(source, edits[0]), 1
    patcher = Patcher(source, root)
    patches: list[Patch] = []
    done = 0
    for edit in edits:
        planned = patcher.plan(edit)
        if any(_touches(patches, patch) for patch in planned):
            break
        for patch in planned:
            insort(patches, patch, key=_order)
        done += 1
    if changes is not None:
        entries = {edit.path[:2] for edit in edits[:done]}
        for entry, (before, after) in changed_entries(source, root, entries, patches).items():
            changes[entry] = changes.get(entry, (before, after))[0], after
    return patched(text, patches), done


def _order(patch: Patch) -> tuple[int, int]:
    return patch.start, patch.end


def _touches(patches: Sequence[Patch], patch: Patch) -> bool:
    """Return whether a patch overlaps one of the others, which are sorted and disjoint."""
    at = bisect_left(patches, _order(patch), key=_order)
    return (at < len(patches) and patches[at].start <= patch.end) or (at > 0 and patches[at - 1].end >= patch.start)


def _first_content(source: Source, edit: Edit) -> str:
    """Return a text without any value (empty, or comments only) with the first one appended."""
    value: Any = intended({}, [edit])
    gap = "" if not source.text or source.text.endswith("\n") else source.newline
    return source.text + gap + scalars.block(value, 0, source.newline) + source.newline


Span = tuple[int, int]


def region(source: Source, root: Node, entry: Path) -> Span | None:
    """Return the span of an entry, comments before the next entry included.

    Args:
        source: The text.
        root: Its layout, in which the items of the list are known.
        entry: A key of the root and a position in its list.

    Returns:
        Offsets, the end excluded; None where the entry has no span of its own, as behind an alias.
    """
    match entry:
        case (str() as key, int() as position):
            at = root.find(key)
        case _:
            return None
    if root.kind != "mapping" or at < 0:
        return None
    sequence = root.children[at]
    if sequence.kind != "sequence" or not 0 <= position < len(sequence.children):
        return None
    try:
        start = _start(source, sequence, position)
        if position + 1 < len(sequence.children):
            return start, _start(source, sequence, position + 1)
    except EditRefused:
        return None
    return start, root.keys[at + 1].start if at + 1 < len(root.keys) else len(source.text)


def _start(source: Source, sequence: Node, position: int) -> int:
    return sequence.children[position].start if sequence.flow else source.dash(sequence, position)


def changed_entries(
    source: Source, root: Node, entries: Iterable[Path], patches: Iterable[Patch]
) -> dict[Path, Change]:
    """Return the text of each entry before and after some patches, which are sorted and disjoint."""
    spans = {entry: span for entry in entries if (span := region(source, root, entry)) is not None}
    order = sorted(spans.items(), key=lambda item: item[1])
    waiting = list(patches)[::-1]
    changes: dict[Path, Change] = {}
    for entry, (start, end) in order:
        while waiting and _before(waiting[-1], start):
            waiting.pop()
        inside: list[Patch] = []
        while waiting and waiting[-1].start <= end:
            inside.append(waiting.pop())
        if all(patch.end <= end for patch in inside):
            shifted = [Patch(patch.start - start, patch.end - start, patch.text) for patch in inside]
            text = source.text[start:end]
            changes[entry] = text, patched(text, shifted)
    return changes


def _before(patch: Patch, start: int) -> bool:
    """Return whether a patch belongs to the text before an offset; an insertion at the offset does."""
    return patch.start < start or patch.end <= start


def patched(text: str, patches: Iterable[Patch]) -> str:
    """Return a text with sorted, disjoint patches applied."""
    parts: list[str] = []
    at = 0
    for patch in patches:
        parts += [text[at : patch.start], patch.text]
        at = patch.end
    return "".join([*parts, text[at:]])


def put_back(text: str, inverses: Inverses) -> tuple[str, dict[Path, Change]]:
    """Reverse changes of entries whose text is still the same.

    Args:
        text: A YAML text without byte order mark.
        inverses: Inverse of each change, by entry.

    Returns:
        The text, and the text before and after of each restored entry.
    """
    source = Source.of(text)
    root = lay_out(text, place_tree((*entry[:1], -1) for entry in inverses))
    patches: list[Patch] = []
    done: dict[Path, Change] = {}
    for entry, inverse in inverses.items():
        span = None if root is None else region(source, root, entry)
        if span is None:
            continue
        now = text[slice(*span)]
        was = inverse.undo(now)
        if was is not None:
            patches.append(Patch(*span, was))
            done[entry] = now, was
    patches.sort(key=lambda patch: patch.start)
    return patched(text, patches), done


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A change of one entry of a list.

    Attributes:
        entry: Its key in the root and its position.
        edits: The edits to make.
        back: Inverse of an earlier change, to be used instead where it still applies.
    """

    entry: Path
    edits: tuple[Edit, ...]
    back: Inverse | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Reversed:
    """A text after changes, its document, and the inverse of each change by entry."""

    text: str = field(repr=False)
    document: Any = field(repr=False)
    inverses: Inverses = field(repr=False)


def reversibly(text: str, document: Any, changes: Sequence[EntryChange]) -> Reversed:
    """Change entries of a YAML text, at most one change for each entry.

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
    """Apply the inverses that apply; none where that would affect other entries."""
    backs = {change.entry: change.back for change in changes if change.back is not None}
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    if not backs:
        return text, document, {}
    try:
        body, done = put_back(text.removeprefix(BYTE_ORDER_MARK), backs)
        result = parse_document(body) if done else document
    except ConfigurationError:
        return text, document, {}
    goal = _with_entries(document, result, done)
    return (mark + body, goal, done) if done and same(goal, result) else (text, document, {})


def _with_entries(document: Any, result: Any, entries: Collection[Path]) -> Any:
    """Return a document with some entries taken from another one; all other parts are the same objects."""
    if not isinstance(document, dict) or not isinstance(result, dict):
        return document
    goal = dict(document)
    for key in {entry[0] for entry in entries}:
        items, new_items = document.get(key), result.get(key)
        if isinstance(items, list) and isinstance(new_items, list) and len(items) == len(new_items):
            goal[key] = [
                new if (key, at) in entries else old for at, (old, new) in enumerate(zip(items, new_items, strict=True))
            ]
    return goal
