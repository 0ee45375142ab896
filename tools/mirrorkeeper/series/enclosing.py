"""The functions and classes around each group of lines that a patch adds or removes, by name. Pure.

Theory of operation. Indentation tells what encloses a line in almost every formatted language: going upwards, each line
that is less indented than all below it. Of these, the ones that look like a definition give the names. It need not be
right in every language, since the names of two releases of one file are compared with each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from .sections import Hunk, PatchSection

_NAME = rb"(?P<name>[A-Za-z_$][\w$]*(?:(?:::|\.)[\w$~]+)*)"
_KEYWORDS = re.compile(
    rb"^[\s\w<>\[\],.*&:~@=-]*?\b"
    rb"(?:def|class|func|fn|function|interface|struct|enum|trait|impl|module|namespace|record|object|protocol)\s+"
    rb"(?:\((?P<receiver>[^)]*)\)\s*)?" + _NAME
)
_TYPE = re.compile(rb"^\s*type\s+(?P<name>\w+)")
_TYPED = re.compile(rb"^\s*(?:[\w<>\[\],.*&:~@]+\s+)+[*&]*" + _NAME + rb"\s*\([^;]*$")
# A key or a name with an opened block: `server:`, `"start": {`, `const handlers = {`, `start: async (request) => {`.
_KEY = re.compile(
    rb"^\s*(?:(?:export|default|const|let|var|static)\s+)*(?P<quote>[\"']?)"
    rb"(?!(?:try|finally|except|do|default|public|private|protected)\b)(?P<name>[A-Za-z_$][\w$.-]*)(?P=quote)\s*"
    rb"(?:(?::?=|\??:)\s*(?:(?:async\s+)?(?:func(?:tion)?\b[^{]*|\([^{]*\)\s*=>)\s*)?\{|:)\s*$"
)
# A method of an object, a function of a shell: `start(request) {`.
_METHOD = re.compile(rb"^\s*(?:(?:async|static|get|set)\s+)*\*?(?P<name>[A-Za-z_$#][\w$-]*)\s*\([^;{}]*\)\s*\{\s*$")
_CONTROL = re.compile(
    rb"^\s*(?:if|for|while|switch|return|else|elif|catch|match|select|go|defer|new|await|yield|throw"
    rb"|foreach|unless|until|when|using|synchronized|with)\b"
)
_SECTION = re.compile(rb"^\[{1,2}\s*(?P<name>[^\[\]]+?)\s*\]{1,2}\s*(?:[#;].*)?$")
_WITH_SECTIONS = re.compile(rb"^diff --git \S.*\.(?:toml|ini|cfg|conf|properties|service|desktop)\n")
_PASSED = re.compile(rb"^\s*(?:$|[)\]}{#*@]|//|/\*)")
_TAB = 8
_CONTEXT, _ADDED, _REMOVED = b" ", b"+", b"-"


class PlacedGroup(NamedTuple):
    """A run of added or removed lines: its sign, the lines, and the names of what encloses it, outermost first."""

    sign: bytes
    lines: tuple[bytes, ...]
    inside: tuple[str, ...]


def placed_groups(section: PatchSection, content: bytes) -> Iterator[PlacedGroup]:
    """Yield the groups of a section with their places in the file that the section changes."""
    lines = content.split(b"\n")
    flat = _WITH_SECTIONS.match(section.content) is not None
    for hunk in section.hunks:
        yield from _of_hunk(hunk, lines, flat=flat)


def _of_hunk(hunk: Hunk, lines: Sequence[bytes], *, flat: bool) -> Iterator[PlacedGroup]:
    _, _, body = hunk.content.partition(b"\n@@ ")
    at = hunk.first - 1 if hunk.first else 0
    for sign, run in groupby((line for line in body.split(b"\n")[1:] if line), key=lambda line: line[:1]):
        text = tuple(line[1:] for line in run)
        if sign in (_ADDED, _REMOVED) and any(line.strip() for line in text):
            yield PlacedGroup(sign, text, _section(lines[:at]) if flat else enclosing(lines[:at], text))
        if sign in (_CONTEXT, _REMOVED):
            at += len(text)


def _section(above: Sequence[bytes]) -> tuple[str, ...]:
    """Return the name of the section of a settings file that lines stand in, which are not indented there."""
    found = next(filter(None, map(_SECTION.match, reversed(above))), None)
    return (found["name"].decode("utf-8", "replace"),) if found else ()


def enclosing(above: Sequence[bytes], lines: Sequence[bytes]) -> tuple[str, ...]:
    """Return the names of the definitions around lines that stand below others, outermost first."""
    first = next(line for line in lines if line.strip())
    indent = _indent(first)
    found: list[str] = []
    for line in reversed(above):
        if indent == 0:
            break
        if _PASSED.match(line) or _indent(line) >= indent:
            continue
        indent = _indent(line)
        name = _name(line)
        if name:
            found.append(name)
    return tuple(reversed(found))


def _indent(line: bytes) -> int:
    text = line.expandtabs(_TAB)
    return len(text) - len(text.lstrip())


def _name(line: bytes) -> str:
    """The name a line defines; empty when it is no definition."""
    if _CONTROL.match(line):
        return ""
    match = _KEYWORDS.match(line) or _TYPE.match(line) or _KEY.match(line) or _TYPED.match(line) or _METHOD.match(line)
    if match is None:
        return ""
    receiver = match.groupdict().get("receiver") or b""
    words = [*re.findall(rb"\w+", receiver)[-1:], match["name"]]
    return b".".join(words).decode("utf-8", "replace")
