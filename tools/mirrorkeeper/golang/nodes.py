"""Syntax trees of Go source, and the texts in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Parser

_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))")
_SIGNS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_HIGHEST = 0x10FFFF


@cache
def _parser() -> Parser:
    import tree_sitter_go

    return Parser(Language(tree_sitter_go.language()))


def parse(content: bytes) -> Node:
    """Return the root of a file; parts that cannot be parsed are errors in the tree, as the parser recovers."""
    return _parser().parse(content).root_node


def text_of(node: Node | None) -> str:
    """The source text of a node; empty for none."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def literal(node: Node) -> str | None:
    """The value of a text literal; None for anything else."""
    inner = (node.text or b"")[1:-1]
    if node.type == "raw_string_literal":
        return inner.replace(b"\r", b"").decode("utf-8", "replace")
    if node.type == "interpreted_string_literal":
        return _ESCAPE.sub(_sign, inner).decode("utf-8", "replace")
    return None


def below(node: Node, kind: str) -> Iterator[Node]:
    """Yield every node of a kind at any depth, outer ones first."""
    waiting = node.named_children[::-1]
    while waiting:  # a long sum is a deep tree
        one = waiting.pop()
        if one.type == kind:
            yield one
        waiting += one.named_children[::-1]


def line_of(node: Node) -> int:
    """The line a node begins at, from 1."""
    return int(node.start_point[0]) + 1


def _sign(found: re.Match[bytes]) -> bytes:
    byte, short, long, octal, one = found.groups()
    if byte or octal:
        return bytes([int(byte, 16) if byte else int(octal, 8) & 0xFF])
    if short or long:
        number = int(short or long, 16)
        return chr(number).encode("utf-8", "replace") if number <= _HIGHEST else b"?"
    return _SIGNS.get(one, one)
