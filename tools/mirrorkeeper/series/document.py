"""A patch file: its reason, its declared paths, its effect on each blob. Pure.

The head, before the first `diff --git`, holds lines `Why:`, `Drop-When:`, `Forwarded:` and `Paths:`. Every file
needs its full object ids, as `git diff --no-renames --full-index --binary` writes them: they make a patch exact beyond
its context lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..errors import ToolError
from .sections import PatchSection, sections_of

_HEADER = re.compile(r"(?P<key>[A-Z][A-Za-z-]*): *(?P<value>\S.*)")
_MOVED = re.compile(rb"^(?:rename|copy) from ", re.MULTILINE)
REWRITE = "write it with `git diff --no-renames --full-index --binary`"


@dataclass(frozen=True)
class PatchDocument:
    """A parsed patch file.

    Attributes:
        name: file name.
        content: the file's bytes.
        sha256: hash of the file, hexadecimal.
        fields: the head's lines by name.
        declared: path patterns of `Paths:`, or none.
        blobs: for each file section that changes content, ids of the blob before and after, in order.
        modes: the modes that each pair of blobs is changed at; none where the patch does not say.
    """

    name: str
    content: bytes
    sha256: str
    fields: Mapping[str, str]
    declared: tuple[str, ...]
    blobs: tuple[tuple[str, str], ...]
    modes: Mapping[tuple[str, str], frozenset[str]]

    @property
    def head(self) -> bytes:
        """Everything before the first difference."""
        return self.content.partition(b"diff --git ")[0]

    def names(self, before: str, after: str) -> bool:
        """Return whether the patch says that it turns the one blob into the other.

        A file that becomes a link is written as one file removed and another added, with zeros for the missing side.
        """
        none = "0" * len(before)
        return (before, after) in self.blobs or {(before, none), (none, after)} <= set(self.blobs)

    def is_made_for(self, mode: str, before: str, after: str) -> bool:
        """Return whether the patch may change a file of that mode: taken back, it would leave the one it names."""
        known = self.modes.get((before, after), frozenset())
        return not known or mode in known

    def declares(self, path: bytes) -> bool:
        """Return whether the head allows the patch to touch `path`; a patch that declares nothing may touch any."""
        text = path.decode("utf-8", "surrogateescape")
        return not self.declared or any(fnmatchcase(text, pattern) for pattern in self.declared)


def parse_patch(name: str, content: bytes) -> PatchDocument:
    """Parse the bytes of a patch file.

    Raises:
        ToolError: carriage returns, no reason, nothing to apply, a rename, or shortened object ids.
    """
    head, mark, body = content.partition(b"diff --git ")
    if b"\r\n" in head or body.partition(b"\n")[0].endswith(b"\r"):
        raise ToolError(f"{name} has CRLF line endings", "add `*.patch -text` to .gitattributes and check it out again")
    if not mark:
        raise ToolError(f"{name} changes nothing: it has no `diff --git` section", REWRITE)
    fields = {}
    for line in head.decode("utf-8", "replace").splitlines():
        match = _HEADER.fullmatch(line.strip())
        if match:
            fields[match["key"]] = match["value"]
    if "Why" not in fields:
        raise ToolError(f"{name} does not say why it exists", "add a line `Why: …` before the first diff")
    if not {"Drop-When", "Forwarded"} & fields.keys():
        raise ToolError(f"{name} does not say when it may go", "add a line `Drop-When: …` or `Forwarded: …`")
    if _MOVED.search(body):
        raise ToolError(f"{name} renames or copies a file, and so does not name the blobs it was made for", REWRITE)
    sections = [section for section in sections_of(content) if section.before]
    blobs = tuple((section.before, section.after) for section in sections)
    if any(len(oid) not in (40, 64) for pair in blobs for oid in pair):
        raise ToolError(f"{name} has shortened object ids", REWRITE)
    declared = tuple(part for part in re.split(r"[,\s]+", fields.get("Paths", "")) if part)
    return PatchDocument(name, content, hashlib.sha256(content).hexdigest(), fields, declared, blobs, _modes(sections))


def _modes(sections: Iterable[PatchSection]) -> Mapping[tuple[str, str], frozenset[str]]:
    found: dict[tuple[str, str], frozenset[str]] = {}
    for section in sections:
        if section.mode:
            pair = (section.before, section.after)
            found[pair] = found.get(pair, frozenset()) | {section.mode}
    return found
