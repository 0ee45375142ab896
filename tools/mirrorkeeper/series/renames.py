"""A patch brought to the new names of files that the upstream renamed. Pure but for asking git for the names."""

from __future__ import annotations

from collections.abc import Mapping

from ..git.command import Git
from .document import PatchDocument, parse_patch
from .sections import sections_of


def renamed_files(repository: Git, before: str, after: str) -> dict[bytes, bytes]:
    """New names by old ones between two commits; none when one of them is not at hand."""
    command = ("diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", before, after)
    output = repository.run(*command, check=False)
    names = output.stdout.split(b"\0")[:-1] if output.status == 0 else []
    return dict(zip(names[1::3], names[2::3], strict=True))


def copied_files(repository: Git, before: str, after: str) -> dict[bytes, tuple[bytes, ...]]:
    """All new names, by the old one, of files that are gone between two commits; none when one is not at hand."""
    command = ("diff-tree", "-r", "-z", "-M", "-C", "--diff-filter=RC", "--name-status", before, after)
    output = repository.run(*command, check=False)
    words = output.stdout.split(b"\0")[:-1] if output.status == 0 else []
    rows = list(zip(words[::3], words[1::3], words[2::3], strict=True))
    gone = {old for state, old, _ in rows if state.startswith(b"R")}
    return {one: tuple(new for _, old, new in rows if old == one) for one in gone}


def follow_renames(patch: PatchDocument, renames: Mapping[bytes, bytes]) -> PatchDocument:
    """The patch with its parts for renamed files moved to the new names; the same one when there are none.

    A name that git writes in quotes stays as it is: such a part stops, and a person sees it.
    """
    parts = [_followed(section.content, renames) for section in sections_of(patch.content)]
    content = patch.head + b"".join(parts)
    return patch if content == patch.content else parse_patch(patch.name, content)


def _followed(section: bytes, renames: Mapping[bytes, bytes]) -> bytes:
    head, mark, hunks = section.partition(b"\n@@ -")
    first = head.partition(b"\n")[0]
    for old, new in renames.items():
        if first == b"diff --git a/%b b/%b" % (old, old) and not _is_quoted(new):
            lines = head.split(b"\n")
            lines[0] = b"diff --git a/%b b/%b" % (new, new)
            names = {b"--- a/" + old: b"--- a/" + new, b"+++ b/" + old: b"+++ b/" + new}
            return b"\n".join(names.get(line, line) for line in lines) + mark + hunks
    return section


def _is_quoted(name: bytes) -> bool:
    return any(byte < 0x20 or byte > 0x7E or byte in b'"\\' for byte in name)  # noqa: PLR2004 - printable ASCII
