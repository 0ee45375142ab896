"""The parts of a patch's text: a section for each file, in it the hunks, each as a patch of its own. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Lines of content start with a blank, `+`, `-` or `\`, and those of binary parts hold no blank: none looks like these.
_SECTION = re.compile(rb"(?m)^(?=diff --git )")
_HUNK = re.compile(rb"(?m)^(?=@@ -)")
_INDEX = re.compile(rb"(?m)^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: ([0-7]{6}))?$")
_MODE = re.compile(rb"(?m)^(?:old|deleted file) mode ([0-7]{6})$")
_RANGES = re.compile(rb"@@ -(?P<old>\d+)(?P<length>,\d+)? \+\d+(?P<new_length>,\d+)? @@")


@dataclass(frozen=True)
class Hunk:
    """One hunk: the lines of the file before that it is about, and a patch that holds nothing else."""

    first: int
    last: int
    content: bytes

    @property
    def lines(self) -> str:
        """Place of the hunk, for people."""
        return f"line {self.first}" if self.last <= self.first else f"lines {self.first}-{self.last}"


@dataclass(frozen=True)
class PatchSection:
    """The change of a patch to one file.

    Attributes:
        content: the section as a patch of its own.
        before: id of the blob it was made for; empty when it does not change the content.
        after: id of the blob it makes.
        mode: the mode it was made for; empty for a new file, and where the patch does not say.
        hunks: its hunks in order; none for a binary file, or only a mode.
    """

    content: bytes
    before: str
    after: str
    mode: str
    hunks: tuple[Hunk, ...]


def sections_of(content: bytes) -> tuple[PatchSection, ...]:
    """The sections of a patch file, in order."""
    return tuple(_section(part) for part in _SECTION.split(content)[1:])


def _section(content: bytes) -> PatchSection:
    head, *hunks = _HUNK.split(content)
    index = _INDEX.search(head)
    before, after = (index[1].decode(), index[2].decode()) if index else ("", "")
    mode = (index[3] if index else None) or next(iter(_MODE.findall(head)), b"")
    return PatchSection(content, before, after, mode.decode(), tuple(_hunk(head, hunk) for hunk in hunks))


def _hunk(head: bytes, hunk: bytes) -> Hunk:
    match = _RANGES.match(hunk)
    if match is None:
        return Hunk(0, 0, head + hunk)
    old, length = match["old"], match["length"] or b""
    # Alone it stands where it stood in the file before: no hunk above has moved it.
    alone = b"@@ -%s%s +%s%s @@" % (old, length, old, match["new_length"] or b"")
    count = int(length.removeprefix(b",") or b"1")
    return Hunk(int(old), int(old) + count - 1, head + alone + hunk[match.end() :])
