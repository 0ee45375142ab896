"""Parts of a patch that a release undoes without a conflict.

Theory of operation. A patch that applies can still have lost its effect: the upstream moved the code and left a copy,
or holds a part of the patch itself. So the lines are counted, group by group, in the mirrored files of the old release
and of the new one. A group that the patch adds has to be in the new file as often as in the old one, and by the patch;
one that it removes, not more often. The comparison is by file: code that moved to another file leaves a conflict.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...declaration.declaration import Declaration, read_declaration
from ...errors import Paused
from ...findings import Finding
from ...git.command import Git
from ...lockfile.pin import read_pin
from ...project import Project
from ...series.document import PatchDocument
from ...series.line_groups import LineGroup, groups_of
from ...series.next_steps import REFRESH, SYNC
from ...series.paths import parts
from ...tool_name import TOOL
from ..refreshing import Refreshed
from ..release.base_release import BaseRelease


def dropped_parts(
    project: Project, base_release: BaseRelease, made: Sequence[Refreshed], by_hand: Container[str] = ()
) -> Iterator[Finding]:
    """Yield a finding for each part of a patch that has another effect on the release than on the pinned one.

    Nothing is compared for a patch that is `by_hand`, and when the pinned tree is not at hand.
    """
    pin = read_pin(project)
    if pin is None or project.prefix is None or project.object_format != pin.object_format:
        return
    if pin.commit == base_release.target.commit:
        return
    repository = base_release.repository
    trees = [base_release.base, *(one.tree for one in made)]
    for one, before in zip(made, trees, strict=False):
        if one.before is None or not one.changed or one.name in by_hand:
            continue
        for path, section in parts(repository, one.before):
            new = _new_name(path, base_release.renames)
            old, release = content_of(project.git, pin.final_tree, path), content_of(repository, before, new)
            patched = content_of(repository, trees[-1], new)
            if old is None or release is None or patched is None:
                continue
            groups = list(groups_of(section))
            for group in dict.fromkeys(groups):
                text = _undone(group, groups.count(group), _FileContents(old, release, patched))
                if text:
                    where = f"{read_declaration(project).path}/{new}".encode("utf-8", "surrogateescape")
                    fix = f"{TOOL} patch edit {one.name.removesuffix('.patch')}"
                    yield Finding("PAT007", where, f"{one.name}: {text}", fix, details=(group.shown,))


_PAUSED_BY = {
    "PAT007": "a release undoes a part of a patch without a conflict",
    "PAT010": "a part of a patch lands in another function, without a conflict",
    "PAT012": "a release binds a name that a patch changes again below, without a conflict",
    "PAT011": "a release holds copies of a renamed file, and a patch follows one of them",
}


def undone_lines(undone: Sequence[Finding], *, attended: bool) -> Sequence[str]:
    """Return the findings as lines.

    Raises:
        Paused: there is one, and no person attends.
    """
    lines = [f"{one.shown_path}: {one.code} {one.message}: {one.details[0]}" for one in undone]
    if lines and not attended:
        onward = (*(f"  {one.fix}" for one in undone), f"  {REFRESH}      # accepts them as they are")
        codes = {one.code for one in undone}
        raise Paused(
            next(text for code, text in _PAUSED_BY.items() if code in codes),
            f"nothing was changed; settle it, then {SYNC} --continue",
            (*lines, "next:", *dict.fromkeys(onward)),
        )
    return lines


class _FileContents(NamedTuple):
    """A file as it was mirrored, in the release before the patch, and after all patches."""

    old: bytes
    release: bytes
    patched: bytes


def _undone(group: LineGroup, times: int, files: _FileContents) -> str:
    old, release, patched = map(group.count, files)
    if not group.added:
        return "the release holds lines that the patch removes at another place" if patched > old else ""
    if patched < old:
        return "lines that the patch adds are gone"
    if patched > old:
        return "lines that the patch adds stand in more places than before"
    # A later patch may have replaced them again, so that the old file has fewer than the patch added.
    return "the release holds lines of the patch already" if release > max(0, old - times) else ""


def repeated_lines(
    declaration: Declaration, repository: Git, series: Sequence[PatchDocument], tree: str
) -> Iterator[Finding]:
    """Yield a note for lines a patch adds that stand in more places, and lines it removes that are still there."""
    for patch in series:
        for path, section in parts(repository, patch):
            content = content_of(repository, tree, path)
            if content is None:
                continue
            groups = list(groups_of(section))
            for group in dict.fromkeys(groups):
                again = group.count(content) - sum(1 for one in groups if one.added and one.lines == group.lines)
                if again > 0:
                    said = "adds stand in another place as well" if group.added else "removes stand in another place"
                    text = f"lines that {patch.name} {said}"
                    where = f"{declaration.path}/{path}".encode("utf-8", "surrogateescape")
                    fix = "see whether the patch belongs there too"
                    yield Finding("PAT008", where, text, fix, details=(group.shown,))


def content_of(repository: Git, tree: str, path: str) -> bytes | None:
    """The bytes of a file of a tree; None when it is not there, or the objects are not at hand."""
    output = repository.run("cat-file", "blob", f"{tree}:{path}", check=False)
    return output.stdout if output.status == 0 else None


def _new_name(path: str, renames: Mapping[bytes, bytes]) -> str:
    return os.fsdecode(renames.get(os.fsencode(path), os.fsencode(path)))
