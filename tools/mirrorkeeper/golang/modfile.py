"""`go.mod` and `go.work` as lists of directives. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`|=>|[()]|[^\s()]+')


class Directive(NamedTuple):
    """One directive: its line from 1, its verb, its words without quotes."""

    line: int
    verb: str
    words: tuple[str, ...]


class Replacement(NamedTuple):
    """A module path replaced: its line, the path, and the place or path in its stead."""

    line: int
    module: str
    target: str

    @property
    def is_folder(self) -> bool:
        """Return whether it is taken from a folder; Go knows one by its first sign."""
        return self.target.startswith(("./", "../", "/")) or self.target in (".", "..")


def directives(text: str) -> Iterator[Directive]:
    """Yield the directives of a module file, those of a block one by one."""
    block = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = [one for one in _WORD.findall(_without_comment(line)) if one]
        if not words:
            continue
        if block and words[0] == ")":
            block = ""
        elif block:
            yield Directive(number, block, _plain(words))
        elif words[-1] == "(":
            block = words[0]
        else:
            yield Directive(number, words[0], _plain(one for one in words[1:] if one not in ("(", ")")))


def module_of(text: str) -> str:
    """The module path that a `go.mod` declares; empty when it declares none."""
    return next((one.words[0] for one in directives(text) if one.verb == "module" and one.words), "")


def replacements(text: str) -> Iterator[Replacement]:
    """Yield the replacements of a `go.mod` or `go.work`."""
    for one in directives(text):
        if one.verb == "replace" and "=>" in one.words:
            at = one.words.index("=>")
            yield Replacement(one.line, one.words[0], one.words[at + 1] if one.words[at + 1 :] else "")


def _plain(words: Iterator[str] | list[str]) -> tuple[str, ...]:
    return tuple(one[1:-1] if one[0] in '"`' else one for one in words)


def _without_comment(line: str) -> str:
    return re.split(r"(?:^|\s)//", line, maxsplit=1)[0]
