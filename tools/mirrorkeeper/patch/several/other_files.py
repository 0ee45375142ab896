"""Patches of other files: one that needs a person does not keep another one from being edited."""

from __future__ import annotations

from collections.abc import Sequence

from ...git.command import Git, with_index
from ...series.document import PatchDocument
from ...series.paths import touched
from ...series.renames import follow_renames
from ..release.base_release import BaseRelease


def patches_of_other_files(base_release: BaseRelease, series: Sequence[PatchDocument], name: str) -> frozenset[str]:
    """Return the names of patches before the named one that share no file with it, nor with those that do."""
    files = [frozenset(touched(base_release.repository, _there(base_release, patch))) for patch in series]
    at = [patch.name for patch in series].index(name)
    wanted, others = files[at], set[str]()
    for patch, own in zip(reversed(series[:at]), reversed(files[:at]), strict=True):
        if own & wanted:
            wanted |= own
        else:
            others.add(patch.name)
    return frozenset(others)


def _there(base_release: BaseRelease, patch: PatchDocument) -> PatchDocument:
    return follow_renames(patch, base_release.renames)


def carried(repository: Git, base: str, edited: str, tree: str) -> str:
    """Return a tree with the changes from `base` to `edited`; empty when it differs in one of their files."""
    listed = repository.run("diff-tree", "-r", "-z", "--no-renames", "--full-index", base, edited).stdout.split(b"\0")
    changes = list(zip(listed[:-1:2], listed[1::2], strict=True))
    others = repository.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", base, tree).stdout.split(b"\0")
    if {path for _, path in changes} & set(others[:-1]):
        return ""
    index = with_index(repository, repository.folder, repository.folder / "carried-index")
    index.run("read-tree", tree)
    rows = b"".join(b"%s %s\t%s\0" % (*_mode_and_id(header), path) for header, path in changes)
    return (
        index.run("write-tree").text
        if index.run("update-index", "-z", "--index-info", stdin=rows, check=False).status == 0
        else ""
    )


def _mode_and_id(header: bytes) -> tuple[bytes, bytes]:
    """The new mode and id of a line `:100644 100644 OLD NEW M`; git removes a path of mode 0."""
    _, mode, _, oid, _ = header.split(b" ")
    return mode.lstrip(b"0") or b"0", oid
