"""Groups of lines that a patch adds or removes, and their number in a file. Pure.

A group is a run of added or of removed lines within a hunk. Groups with few letters (a brace, `return nil`) stand in
many places of a file by chance, so only distinctive ones are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from .sections import PatchSection

_LETTERS = 12
_WORD = re.compile(rb"[A-Za-z0-9]")
_ADDED, _REMOVED = b"+", b"-"


class LineGroup(NamedTuple):
    """A run of lines, in the order of the file.

    Attributes:
        added: whether the patch adds them; else it removes them.
        lines: the lines, without their sign and line break.
    """

    added: bool
    lines: tuple[bytes, ...]

    @property
    def distinctive(self) -> bool:
        """Return whether the lines are unlikely to stand elsewhere by chance."""
        return is_distinctive(self.lines)

    @property
    def shown(self) -> str:
        """The first line with a letter in it, for people."""
        first = next((line for line in self.lines if _WORD.search(line)), b"")
        return first.strip().decode("utf-8", "backslashreplace")

    def count(self, content: bytes) -> int:
        """Return how often the group stands in a file as whole lines, one after the other."""
        whole = content if content.endswith(b"\n") or not content else content + b"\n"
        text, wanted = b"\n" + whole, b"\n" + b"\n".join(self.lines) + b"\n"
        found, at = 0, text.find(wanted)
        while at >= 0:
            found, at = found + 1, text.find(wanted, at + 1)
        return found


def is_distinctive(lines: Iterable[bytes]) -> bool:
    """Return whether lines hold enough letters and digits to be unlikely elsewhere by chance."""
    return len(_WORD.findall(b"".join(lines))) >= _LETTERS


def groups_of(section: PatchSection) -> Iterator[LineGroup]:
    """Yield the distinctive groups of a section, in order."""
    for hunk in section.hunks:
        _, _, body = hunk.content.partition(b"\n@@ ")
        lines = body.split(b"\n")[1:]
        for sign, run in groupby((line for line in lines if line), key=lambda line: line[:1]):
            group = LineGroup(sign == _ADDED, without_blank_ends([line[1:] for line in run]))
            if sign in (_ADDED, _REMOVED) and group.distinctive:
                yield group


def without_blank_ends(lines: list[bytes]) -> tuple[bytes, ...]:
    """Leave out blank lines at both ends: two differences of the same files may count them to either side."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    return tuple(lines[filled[0] : filled[-1] + 1]) if filled else ()
