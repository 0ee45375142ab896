"""Layout of a YAML text: a tree of spans, as deep as the edits at hand need it.

Offsets count characters of the text without byte order mark. Subtrees outside the edits are skipped; only their spans
are known.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from gateway.internal.configuration.document import events
from gateway.internal.configuration.edits import Path

PlaceTree = dict[str | int, "PlaceTree"]


@dataclass(slots=True)
class Node:
    """A node of the text.

    Attributes:
        kind: ``scalar``, ``alias``, ``mapping`` or ``sequence``.
        start: Offset of its first character, anchor and tag included.
        end: Offset behind its last character, without the line breaks that end a block scalar.
        flow: Written in flow style, ``[…]`` or ``{…}``.
        style: Quote mark or block indicator of a scalar; None when plain.
        value: Text of a scalar.
        resume: Offset for a new line behind a node that ends in a block scalar, else -1.
        keys: Key nodes of a mapping, parallel to ``children``.
        children: Values of a mapping or items of a sequence; empty where the node was skipped.
    """

    kind: str
    start: int
    end: int
    line: int = 0
    flow: bool = False
    style: str | None = None
    value: str = ""
    resume: int = -1
    keys: list["Node"] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """True for a value that is not written, as behind ``key:``."""
        return self.start == self.end

    def child(self, step: str | int) -> "Node | None":
        """Return the value at a key or position, or None."""
        if isinstance(step, int):
            return self.children[step] if self.kind == "sequence" and 0 <= step < len(self.children) else None
        position = self.find(step)
        return None if position < 0 else self.children[position]

    def find(self, key: str | int) -> int:
        """Return the index of a key in a mapping (of an item in a sequence), or -1."""
        if isinstance(key, int):
            return key if key < len(self.children) else -1
        return next((at for at, node in enumerate(self.keys) if node.value == key and node.kind == "scalar"), -1)

    def leaves(self) -> Iterator["Node"]:
        """Yield the written scalars and aliases within, in order."""
        if self.kind in {"scalar", "alias"}:
            yield self
            return
        for at, node in enumerate(self.children):
            if self.keys:
                yield from self.keys[at].leaves()
            yield from node.leaves()


def place_tree(paths: Iterable[Path]) -> PlaceTree:
    """Return the paths as a tree; layouts include the inside of its places."""
    tree: PlaceTree = {}
    for path in paths:
        place = tree
        for step in path:
            place = place.setdefault(step, {})
    return tree


def lay_out(text: str, places: PlaceTree) -> Node | None:
    """Return the root node of a one-document text; None for an empty document.

    Args:
        text: Valid YAML without byte order mark.
        places: See ``place_tree``. Nodes at its leaves are laid out completely, nodes beside its branches are skipped.
    """
    stream = iter(events(text))
    for event in stream:
        if isinstance(event, yaml.DocumentStartEvent):
            return _Surveyor(text, stream).node(next(stream), places)
    return None


class _Surveyor:
    """Reads an event stream; without ``places`` only the span counts."""

    def __init__(self, text: str, stream: Iterator[Any]) -> None:
        self._text = text
        self._stream = stream

    def node(self, event: Any, places: PlaceTree | None) -> Node:
        kind = type(event)
        if kind is yaml.ScalarEvent or kind is yaml.AliasEvent:
            return self._leaf(event)
        node = Node(
            "mapping" if kind is yaml.MappingStartEvent else "sequence",
            event.start_mark.index,
            event.end_mark.index,
            event.start_mark.line + 1,
            flow=bool(event.flow_style),
        )
        if places is None:
            return self._passed_over(node)
        deep = not places
        end = yaml.MappingEndEvent if node.kind == "mapping" else yaml.SequenceEndEvent
        for item in self._stream:
            kind = type(item)
            if kind is end:
                if node.flow:
                    node.end = item.end_mark.index
                break
            self._member(node, item, places, deep=deep)
        return node

    def _member(self, node: Node, event: Any, places: PlaceTree, *, deep: bool) -> None:
        step: str | int = len(node.children)
        if node.kind == "mapping":
            key = self.node(event, {})
            node.keys.append(key)
            step = key.value
            event = next(self._stream)
        child = self.node(event, {} if deep else places.get(step))
        node.children.append(child)
        last = child
        if child.empty and node.keys and not node.flow:
            last = child if child.end > node.keys[-1].end else node.keys[-1]
        node.end, node.resume = last.end, last.resume

    def _leaf(self, event: Any) -> Node:
        start, end = event.start_mark.index, event.end_mark.index
        kind = type(event)
        if kind is yaml.AliasEvent:
            return Node("alias", start, end, event.start_mark.line + 1, value=event.anchor)
        node = Node("scalar", start, end, event.start_mark.line + 1, style=event.style or None, value=event.value)
        if event.style in {"|", ">"}:
            node.resume = end
            node.end = start + len(self._text[start:end].rstrip())
        return node

    def _passed_over(self, node: Node) -> Node:
        depth = 1
        leaf: Any = None
        for event in self._stream:
            kind = type(event)
            if kind is yaml.ScalarEvent or kind is yaml.AliasEvent:
                leaf = event
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                depth += 1
            else:
                depth -= 1
                if event.end_mark.index > event.start_mark.index:
                    leaf, node.end = None, event.end_mark.index
                if not depth:
                    break
        if leaf is not None:
            last = self._leaf(leaf)
            node.end, node.resume = last.end, last.resume
        return node
