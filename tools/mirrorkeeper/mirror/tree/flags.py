"""Flags of the mirrored files in git's index: those that hide a file, and files it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...declaration.declaration import Declaration
from ...findings import Finding
from ...project import Project
from ...text import counted, shell_path
from .staged_listing import start_staged


class Flags(NamedTuple):
    """Paths within the mirror whose index entry has a flag.

    Attributes:
        assumed: git assumes that the file did not change, so `git status` is blind to it.
        skipped: a sparse checkout leaves the file out, so it may rightly be missing.
        hidden: the index says that the file is left out, and no sparse checkout of this clone does so.
    """

    assumed: tuple[bytes, ...] = ()
    skipped: tuple[bytes, ...] = ()
    hidden: tuple[bytes, ...] = ()


def parse_flags(listed: bytes, top: bytes) -> Flags:
    """Sort the records of `git ls-files -s -v -z`; `top` is the prefix of every path. Pure."""
    assumed, skipped = [], []
    for record in listed.split(b"\0"):
        mark, path = record[:1], record.partition(b"\t")[2].removeprefix(top)
        if mark.islower():
            assumed.append(path)
        if mark.upper() == b"S":
            skipped.append(path)
    return Flags(tuple(assumed), tuple(skipped))


def read_flags(project: Project, declaration: Declaration) -> Flags:
    """Ask git for the flags of the mirrored files; none outside of a repository."""
    if project.prefix is None:
        return Flags()
    listed = start_staged(project, declaration).finish().stdout
    return told_apart(project, declaration, parse_flags(listed, declaration.path.encode() + b"/"))


def told_apart(project: Project, declaration: Declaration, flags: Flags) -> Flags:
    """Tell files that a sparse checkout leaves out from those that were flagged by hand."""
    if not flags.skipped:
        return flags
    from .sparse import wrongly_skipped

    top = (project.prefix or "").encode() + declaration.path.encode() + b"/"
    included = {path.removeprefix(top) for path in wrongly_skipped(project, [top + path for path in flags.skipped])}
    return flags._replace(
        skipped=tuple(path for path in flags.skipped if path not in included),
        hidden=tuple(path for path in flags.skipped if path in included),
    )


def flag_findings(declaration: Declaration, flags: Flags) -> Iterator[Finding]:
    """A finding for each hidden file, and one note for all that a sparse checkout leaves out."""
    top = declaration.path.encode()
    for path in flags.assumed:
        text = "git assumes that it did not change"
        fix = f"git update-index --no-assume-unchanged -- {shell_path(top + b'/' + path)}"
        yield Finding("MIR013", top + b"/" + path, text, fix)
    for path in flags.hidden:
        text = "git is told to leave it out of the working files, and no sparse checkout does so"
        fix = f"git update-index --no-skip-worktree -- {shell_path(top + b'/' + path)}"
        yield Finding("MIR013", top + b"/" + path, text, fix)
    if flags.skipped:
        are = "is" if len(flags.skipped) == 1 else "are"
        left_out = f"{counted(len(flags.skipped), 'file')} {are} left out by a sparse checkout"
        text = f"{left_out}; only those that are there were compared"
        yield Finding("MIR014", top, text, "git sparse-checkout disable")
