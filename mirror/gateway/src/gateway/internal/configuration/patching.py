"""From one edit and the layout of a text to the patches that make it. Pure; whatever is unusual is refused."""

from typing import Any

from gateway.internal.configuration import rendering
from gateway.internal.configuration.edits import Edit, Insert, Path, Remove, described
from gateway.internal.configuration.errors import EditRefused
from gateway.internal.configuration.layout import Node
from gateway.internal.configuration.source import Patch, Source


class Patcher:
    """Plans the patches of edits on one text.

    Args:
        source: The text.
        root: Its layout, deep enough for every edit planned.
    """

    def __init__(self, source: Source, root: Node) -> None:
        self._source = source
        self._root = root

    def plan(self, edit: Edit) -> list[Patch]:
        """Return the patches for one edit.

        Raises:
            EditRefused: The text has a form in which the edit cannot be made safely.
        """
        chain = self._chain(edit.path)
        missing = edit.path[len(chain) - 1 :]
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
        """Return the nodes along a path, from the root as far as they are written."""
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
        name = rendering.scalar(key)
        if parent.flow:
            return [self._flow_addition(parent, f"{name}: {rendering.flow(value)}")]
        column = self._source.column(parent.keys[0].start)
        body = rendering.pair(name, value, column, self._source.newline)
        return [self._line_after(parent, column, body, parent.keys[0].start)]

    def _insert(self, chain: list[Node], edit: Insert) -> list[Patch]:
        sequence = chain[-1]
        if sequence.kind == "alias":
            raise _shared(edit.path, sequence)
        if sequence.kind != "sequence":
            return self._replace(chain, edit.path, [edit.value])
        at = len(sequence.children) if edit.index is None else edit.index
        if sequence.flow:
            return [self._flow_insertion(sequence, at, rendering.flow(edit.value))]
        first = self._source.dash(sequence, 0)
        column = self._source.column(first)
        body = "- " + rendering.block(edit.value, column + 2, self._source.newline)
        if at == 0:
            return [Patch(first, first, body + self._source.newline + " " * column)]
        before = sequence.children[at - 1]
        return [self._line_after(before, column, body, -1)]

    def _line_after(self, node: Node, column: int, body: str, instead: int) -> Patch:
        """Put a line behind a block node, or before the offset ``instead`` where nothing can stand behind it."""
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
            kept = "".join(indent + comment + self._source.newline for comment in comments)
            return [Patch(self._source.line_start(start), self._source.next_line(end), kept)]
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
        text = rendering.flow(value, node.style)
        if node.resume >= 0:
            text = " ".join([text, *self._source.comments(node.start, node.end, node)])
        return [Patch(node.start, node.end, text)]

    def _fill(self, chain: list[Node], path: Path, value: Any, *, inside_flow: bool) -> list[Patch]:
        """Write a value where nothing stands yet, as behind ``key:``."""
        node, source = chain[-1], self._source
        if inside_flow or not path or isinstance(path[-1], int) or not (isinstance(value, list | dict) and value):
            before = source.text[node.start - 1 : node.start]
            return [Patch(node.start, node.start, ("" if before in {"", " ", "\n"} else " ") + rendering.flow(value))]
        parent = chain[-2]
        column = source.column(parent.keys[parent.find(path[-1])].start) + 2
        end = source.closed_line(node)
        body = rendering.block(value, column, source.newline)
        return [Patch(end, end, source.newline + " " * column + body)]

    def _replace_block(self, chain: list[Node], path: Path, value: Any) -> list[Patch]:
        """Write a value on the line of its key or dash, and leave of the old block only the comments."""
        node, source = chain[-1], self._source
        text = rendering.flow(value)
        end = source.closed_line(node)
        comments = source.comments(node.start, end, node)
        if not path or not source.opens_line(node.start):
            return [Patch(node.start, end, (source.newline + " " * source.column(node.start)).join([text, *comments]))]
        parent = chain[-2]
        at = parent.find(path[-1])
        mark = source.colon(parent, at) if parent.keys else source.dash(parent, at)
        indent = source.text[source.line_start(node.start) : node.start]
        kept = "".join(indent + comment + source.newline for comment in comments)
        begin = source.line_start(node.start)
        return [Patch(mark + 1, mark + 1, " " + text), Patch(begin, source.next_line(end), kept)]


def _shared(path: Path, alias: Node) -> EditRefused:
    return EditRefused(f"{described(path)} is shared with another place by *{alias.value}; edit it by hand")


def _nested(path: Path, value: Any) -> Any:
    for step in reversed(path):
        if isinstance(step, int):
            raise EditRefused(f"{described(path)} cannot be added there")
        value = {step: value}
    return value


def _covering(parent: Node, at: int) -> Node:
    """Return a node whose leaves are those of one member: its key, if any, and its value."""
    keys = parent.keys[at : at + 1]
    return Node("mapping", 0, 0, keys=keys, children=parent.children[at : at + 1])
