"""Items of a list moved, dropped and added as lines of text, so that what stays keeps its writing and its comments."""

from dataclasses import dataclass

from gateway.internal.configuration import rendering
from gateway.internal.configuration.edits import Arrange, New, Path
from gateway.internal.configuration.errors import EditRefused
from gateway.internal.configuration.layout import Node, lay_out, wanted
from gateway.internal.configuration.source import Patch, Source


@dataclass(frozen=True, slots=True)
class _Block:
    """A block list as slices: item ``i`` with its comments is the text from ``cuts[i]`` to ``cuts[i + 1]``."""

    column: int
    cuts: list[int]


def arranged(source: Source, sequence: Node, edit: Arrange, key: Node | None) -> Patch:
    """Return the patch that gives a list with items other ones, at least one.

    Args:
        source: The text.
        sequence: The list; the insides of its items need not be known.
        edit: What it shall hold.
        key: The key the list stands behind, or None.

    Raises:
        EditRefused: The list is written in a form in which its items cannot be taken apart.
    """
    count, items = len(sequence.children), edit.items
    first = 0
    while first < min(count, len(items)) and items[first] == first:
        first += 1
    last = 0
    while last < min(count, len(items)) - first and items[-1 - last] == count - 1 - last:
        last += 1
    middle = items[first : len(items) - last]
    gone = set(range(first, count - last)).difference(item for item in middle if isinstance(item, int))
    if sequence.flow:
        return _flow(source, sequence, items)
    block = _slices(source, sequence, key)
    text: list[str] = []
    indent = " " * block.column
    kept = _comments(source, block, edit.path, gone)
    followed: dict[int, str] = {}
    for at in sorted(gone):
        # Comments of a dropped item stay where they are: before the next item that stays.
        after = next((item for item in range(at + 1, count) if item not in gone), count)
        followed[after] = followed.get(after, "") + "".join(indent + one + source.newline for one in kept.get(at, ()))
    for item in middle:
        if isinstance(item, New):
            text.append(indent + "- " + rendering.block(item.value, block.column + 2, source.newline) + source.newline)
        else:
            text += [followed.pop(item, ""), _line(source, source.text[block.cuts[item] : block.cuts[item + 1]])]
    text += [followed[after] for after in sorted(followed)]
    return _between_lines(source, block.cuts[first], block.cuts[count - last], "".join(text))


def _between_lines(source: Source, start: int, end: int, text: str) -> Patch:
    """Return the patch that puts lines in the place of others.

    It reaches from the end of the line before to the end of the last line, so that it meets any other patch that adds
    a line there: those two must not be made on one and the same text.
    """
    if not start:
        return Patch(start, end, text)
    before, after = source.before_break(start), source.before_break(end)
    return Patch(before, max(before, after), source.newline + text.removesuffix(source.newline) if text else "")


def _line(source: Source, text: str) -> str:
    return text if text.endswith("\n") or not text else text + source.newline


def _flow(source: Source, sequence: Node, items: tuple[int | New, ...]) -> Patch:
    children = sequence.children
    start, end = children[0].start, children[-1].end
    if "#" in source.text[start:end]:
        raise EditRefused("a comment may stand inside the brackets; edit the place by hand")
    texts = (rendering.flow(item.value) if isinstance(item, New) else source.between(children[item]) for item in items)
    return Patch(start, end, ", ".join(texts))


def _slices(source: Source, sequence: Node, key: Node | None) -> _Block:
    dash = source.dash(sequence, 0)
    if not source.opens_line(dash):
        raise EditRefused("the list begins in the middle of a line; edit it by hand")
    column = source.column(dash)
    begin = source.line_start(dash)
    cuts = [source.next_line(key.end) if key is not None and source.next_line(key.end) <= begin else begin]
    cuts += [_end(source, item, column) for item in sequence.children]
    return _Block(column, cuts)


def _end(source: Source, item: Node, column: int) -> int:
    """Return where the lines of an item end: behind the comments that are indented into it."""
    if item.resume >= 0:
        return item.resume if item.resume == source.line_start(item.resume) else source.next_line(item.resume)
    at = source.next_line(source.closed_line(item))
    while at < len(source.text):
        line = source.text[at : source.line_end(at)]
        stripped = line.lstrip(" ")
        if not stripped.startswith("#") or len(line) - len(stripped) <= column:
            break
        at = source.next_line(at)
    return at


def _comments(source: Source, block: _Block, path: Path, gone: set[int]) -> dict[int, list[str]]:
    """Return the comments in and around items that go."""
    slices = {at: (block.cuts[at], block.cuts[at + 1]) for at in gone}
    commented = {at: ends for at, ends in slices.items() if "#" in source.text[slice(*ends)]}
    if not commented:
        return {}
    node = lay_out(source.text, wanted((*path, at) for at in commented))
    for step in path:
        node = node.child(step) if node is not None else None
    if node is None:
        raise EditRefused("the list is shared with another place; edit it by hand")
    return {at: source.comments(*ends, node.children[at]) for at, ends in commented.items()}
