"""Patches for one edit of a YAML text, from its layout. Pure; unusual forms are refused."""

from dataclasses import dataclass
from typing import Any

from gateway.internal.configuration import scalars
from gateway.internal.configuration.edits import Arrange, Edit, Insert, New, Path, Remove, described
from gateway.internal.configuration.errors import EditRefused
from gateway.internal.configuration.layout import Node, lay_out, place_tree
from gateway.internal.configuration.source import Patch, Source


@dataclass(frozen=True, slots=True)
class _Block:
    """A block list as slices: item ``i`` with its comments is the text from ``cuts[i]`` to ``cuts[i + 1]``."""

    column: int
    cuts: list[int]


def arranged(source: Source, sequence: Node, edit: Arrange, key: Node | None) -> Patch:
    """Return the patch that replaces the items of a non-empty list, with at least one item after it.

    Args:
        source: The text.
        sequence: The list; its items need no inner layout.
        edit: The new items.
        key: The key before the list, or None.

    Raises:
        EditRefused: The items cannot be separated in the form the list is written in.
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
    comments = _comments(source, block, edit.path, gone)
    followed: dict[int, str] = {}
    for at in sorted(gone):
        # Comments of a dropped item stay where they are: before the next item that stays.
        after = next((item for item in range(at + 1, count) if item not in gone), count)
        followed[after] = followed.get(after, "") + "".join(
            indent + comment + source.newline for comment in comments.get(at, ())
        )
    for item in middle:
        if isinstance(item, New):
            text.append(indent + "- " + scalars.block(item.value, block.column + 2, source.newline) + source.newline)
        else:
            text += [followed.pop(item, ""), _line(source, source.text[block.cuts[item] : block.cuts[item + 1]])]
    text += [followed[after] for after in sorted(followed)]
    return _between_lines(source, block.cuts[first], block.cuts[count - last], "".join(text))


def _between_lines(source: Source, start: int, end: int, text: str) -> Patch:
    """Return the patch that replaces whole lines.

    It extends from the end of the line before to the end of the last line, so that it overlaps any other patch that
    adds a line there.
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
    texts = (scalars.flow(item.value) if isinstance(item, New) else source.between(children[item]) for item in items)
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
    """Return the end of an item's lines, comments indented into it included."""
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
    """Return the comments in and around removed items."""
    slices = {at: (block.cuts[at], block.cuts[at + 1]) for at in gone}
    commented = {at: ends for at, ends in slices.items() if "#" in source.text[slice(*ends)]}
    if not commented:
        return {}
    node = lay_out(source.text, place_tree((*path, at) for at in commented))
    for step in path:
        node = node.child(step) if node is not None else None
    if node is None:
        raise EditRefused("the list is shared with another place; edit it by hand")
    return {at: source.comments(*ends, node.children[at]) for at, ends in commented.items()}


class Patcher:
    """Planner of patches for edits on one text, whose layout ``root`` is deep enough for each of them."""

    def __init__(self, source: Source, root: Node) -> None:
        self._source = source
        self._root = root

    def plan(self, edit: Edit) -> list[Patch]:
        """Return the patches for an edit.

        Raises:
            EditRefused: The text has a form in which the edit cannot be made safely.
        """
        chain = self._chain(edit.path)
        missing = edit.path[len(chain) - 1 :]
        if isinstance(edit, Arrange):
            return self._arrange(chain, edit, missing)
        if isinstance(edit, Remove):
            if missing:
                raise EditRefused(f"{described(edit.path)} is inherited from elsewhere in the file; edit it by hand")
            return self._remove(chain, edit.path)
        if missing:
            value = [edit.value] if isinstance(edit, Insert) else edit.value
            return self._add(chain, edit.path, _nested(missing[1:], value))
        if isinstance(edit, Insert):
            return self._insert(chain, edit)
        return self._replace(chain, edit.path, edit.value)

    def _chain(self, path: Path) -> list[Node]:
        """Return the written nodes along a path, from the root."""
        chain = [self._root]
        for step in path:
            node = chain[-1].child(step)
            if chain[-1].kind == "alias":
                raise _shared(path, chain[-1])
            if node is None:
                break
            chain.append(node)
        return chain

    def _add(self, chain: list[Node], path: Path, value: Any) -> list[Patch]:
        parent = chain[-1]
        key = path[len(chain) - 1]
        if parent.kind == "scalar":
            return self._replace(chain, path[: len(chain) - 1], {key: value})
        if parent.kind != "mapping" or isinstance(key, int):
            raise EditRefused(f"{described(path)} cannot be added there")
        name = scalars.scalar(key)
        if parent.flow:
            return [self._flow_addition(parent, f"{name}: {scalars.flow(value)}")]
        column = self._source.column(parent.keys[0].start)
        body = scalars.pair(name, value, column, self._source.newline)
        return [self._line_after(parent, column, body, parent.keys[0].start)]

    def _insert(self, chain: list[Node], edit: Insert) -> list[Patch]:
        sequence = chain[-1]
        if sequence.kind == "alias":
            raise _shared(edit.path, sequence)
        if sequence.kind != "sequence":
            return self._replace(chain, edit.path, [edit.value])
        at = len(sequence.children) if edit.index is None else edit.index
        if sequence.flow:
            return [self._flow_insertion(sequence, at, scalars.flow(edit.value))]
        first = self._source.dash(sequence, 0)
        column = self._source.column(first)
        body = "- " + scalars.block(edit.value, column + 2, self._source.newline)
        if at == 0:
            return [Patch(first, first, body + self._source.newline + " " * column)]
        before = sequence.children[at - 1]
        return [self._line_after(before, column, body, -1)]

    def _arrange(self, chain: list[Node], edit: Arrange, missing: Path) -> list[Patch]:
        new = [item.value for item in edit.items if isinstance(item, New)]
        if missing:
            return self._add(chain, edit.path, _nested(missing[1:], new))
        sequence = chain[-1]
        if sequence.kind == "alias":
            raise _shared(edit.path, sequence)
        if sequence.kind != "sequence" or not edit.items:
            return self._replace(chain, edit.path, new)
        key = chain[-2].keys[chain[-2].find(edit.path[-1])] if len(chain) > 1 and chain[-2].keys else None
        if sequence.children:
            return [arranged(self._source, sequence, edit, key)]
        if key is None or any(other.flow for other in chain[:-1]) or "#" in self._source.between(sequence):
            return self._replace(chain, edit.path, new)
        mark, end = self._source.mark_before(":", key.end, sequence.start), self._source.closed_line(sequence)
        column = self._source.column(key.start) + 2
        body = scalars.block(new, column, self._source.newline)
        lines = self._source.newline + " " * column + body
        return [Patch(mark + 1, sequence.end, ""), Patch(end, end, lines)]

    def _line_after(self, node: Node, column: int, body: str, instead: int) -> Patch:
        """Add a line behind a block node, or before the offset ``instead`` where no line fits behind it."""
        newline, indent = self._source.newline, " " * column
        if node.resume < 0:
            end = self._source.closed_line(node)
            return Patch(end, end, newline + indent + body)
        if node.resume == self._source.line_start(node.resume):
            return Patch(node.resume, node.resume, indent + body + newline)
        if instead < 0:  # a block text ends the file without a line break; where one changes it, that will be noticed
            return Patch(node.resume, node.resume, newline + indent + body)
        return Patch(instead, instead, body + newline + indent)

    def _flow_addition(self, node: Node, text: str) -> Patch:
        if not node.children:
            return Patch(node.end - 1, node.end - 1, text)
        last = node.children[-1]
        end = last.end
        if last.empty and node.keys:
            end = self._source.mark_before(":", node.keys[-1].end, node.end) + 1
        return Patch(end, end, f", {text}")

    def _flow_insertion(self, sequence: Node, at: int, text: str) -> Patch:
        if at == len(sequence.children):
            return self._flow_addition(sequence, text)
        start = sequence.children[at].start
        return Patch(start, start, f"{text}, ")

    def _remove(self, chain: list[Node], path: Path) -> list[Patch]:
        parent, node = chain[-2], chain[-1]
        at = parent.find(path[-1])
        if parent.flow:
            return [self._flow_removal(parent, at)]
        if len(parent.children) == 1:
            return self._replace(chain[:-1], path[:-1], {} if parent.keys else [])
        start = parent.keys[at].start if parent.keys else self._source.dash(parent, at)
        extent = parent.keys[at] if node.empty and parent.keys and node.end < parent.keys[at].end else node
        end = self._source.closed_line(extent)
        comments = self._source.comments(start, end, _covering(parent, at))
        if self._source.opens_line(start):
            indent = self._source.text[self._source.line_start(start) : start]
            comment_lines = "".join(indent + comment + self._source.newline for comment in comments)
            return [Patch(self._source.line_start(start), self._source.next_line(end), comment_lines)]
        following = parent.keys[at + 1].start if parent.keys else self._source.dash(parent, at + 1)
        if comments or self._source.text[end:following].strip():
            column = " " * self._source.column(start)
            return [Patch(start, end, (self._source.newline + column).join(comments))]
        return [Patch(start, following, "")]

    def _flow_removal(self, parent: Node, at: int) -> Patch:
        starts = parent.keys or parent.children
        if at + 1 < len(starts):
            start, end = starts[at].start, starts[at + 1].start
        else:
            start = max(parent.children[at - 1].end, starts[at - 1].end) if at else starts[at].start
            end = max(parent.children[at].end, starts[at].end)
        if self._source.comments(start, end, _covering(parent, at)):
            raise EditRefused("a comment stands inside the brackets; edit the place by hand")
        return Patch(start, end, "")

    def _replace(self, chain: list[Node], path: Path, value: Any) -> list[Patch]:
        node = chain[-1]
        inside_flow = any(other.flow for other in chain[:-1])
        if node.kind in {"mapping", "sequence"} and not node.flow:
            return self._replace_block(chain, path, value)
        if node.empty:
            return self._fill(chain, path, value, inside_flow=inside_flow)
        if self._source.comments(node.start, node.end, node) and node.resume < 0:
            raise EditRefused("a comment stands inside the brackets; edit the place by hand")
        text = scalars.flow(value, node.style)
        if node.resume >= 0:
            text = " ".join([text, *self._source.comments(node.start, node.end, node)])
        return [Patch(node.start, node.end, text)]

    def _fill(self, chain: list[Node], path: Path, value: Any, *, inside_flow: bool) -> list[Patch]:
        """Write the first value of a place, as behind ``key:``."""
        node, source = chain[-1], self._source
        if inside_flow or not path or isinstance(path[-1], int) or not (isinstance(value, list | dict) and value):
            before = source.text[node.start - 1 : node.start]
            return [Patch(node.start, node.start, ("" if before in {"", " ", "\n"} else " ") + scalars.flow(value))]
        parent = chain[-2]
        column = source.column(parent.keys[parent.find(path[-1])].start) + 2
        end = source.closed_line(node)
        body = scalars.block(value, column, source.newline)
        return [Patch(end, end, source.newline + " " * column + body)]

    def _replace_block(self, chain: list[Node], path: Path, value: Any) -> list[Patch]:
        """Write a value on the line of its key or dash, and keep only the comments of the old block."""
        node, source = chain[-1], self._source
        text = scalars.flow(value)
        end = source.closed_line(node)
        comments = source.comments(node.start, end, node)
        if not path or not source.opens_line(node.start):
            return [Patch(node.start, end, (source.newline + " " * source.column(node.start)).join([text, *comments]))]
        parent = chain[-2]
        at = parent.find(path[-1])
        mark = source.colon(parent, at) if parent.keys else source.dash(parent, at)
        indent = source.text[source.line_start(node.start) : node.start]
        comment_lines = "".join(indent + comment + source.newline for comment in comments)
        begin = source.line_start(node.start)
        return [Patch(mark + 1, mark + 1, " " + text), Patch(begin, source.next_line(end), comment_lines)]


def _shared(path: Path, alias: Node) -> EditRefused:
    return EditRefused(f"{described(path)} is shared with another place by *{alias.value}; edit it by hand")


def _nested(path: Path, value: Any) -> Any:
    for step in reversed(path):
        if isinstance(step, int):
            raise EditRefused(f"{described(path)} cannot be added there")
        value = {step: value}
    return value


def _covering(parent: Node, at: int) -> Node:
    """Return a node that covers one member: its key, if any, and its value."""
    keys = parent.keys[at : at + 1]
    return Node("mapping", 0, 0, keys=keys, children=parent.children[at : at + 1])
