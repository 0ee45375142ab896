"""Parts of a patch that a release undoes without a conflict.

Theory of operation. A patch that applies can still have lost its effect: the upstream moved the code and left a copy,
or holds a part of the patch itself. So the lines are counted, group by group, in the mirrored files of the old release
and of the new one. A group that the patch adds has to be in the new file as often as in the old one, and by the patch;
one that it removes, not more often. The comparison is by file: code that moved to another file leaves a conflict.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from ..declaration.declaration import Declaration
from ..findings import Finding
from ..git.command import Git
from ..lockfile.pin import Pin
from ..project import Project
from ..series.document import PatchDocument, parse_patch
from ..series.line_groups import LineGroup, groups_of
from ..series.paths import parts
from ..tool_name import TOOL
from .base_release import BaseRelease
from .refreshing import Refreshed


def dropped_parts(
    project: Project, declaration: Declaration, pin: Pin | None, base_release: BaseRelease, made: Sequence[Refreshed]
) -> Iterator[Finding]:
    """Yield a finding for each part of a patch that has another effect on the release than on the pinned one.

    Nothing is compared for a patch that a person edited, and when the pinned tree is not at hand.
    """
    if pin is None or project.prefix is None or project.object_format != pin.object_format:
        return
    if pin.commit == base_release.target.commit:
        return
    repository, final = base_release.repository, made[-1].tree if made else base_release.base
    for one in made:
        if one.before is None or not one.changed:
            continue
        written = dict(parts(repository, parse_patch(one.name, one.content)))
        for path, section in parts(repository, one.before):
            new = _new_name(path, base_release.renames)
            old_file, new_file = content_of(project.git, pin.final_tree, path), content_of(repository, final, new)
            if old_file is None or new_file is None:
                continue
            now = list(groups_of(written[new])) if new in written else []
            for group in dict.fromkeys(groups_of(section)):
                text = _undone(group, (old_file, new_file), now)
                if text:
                    where = f"{declaration.path}/{new}".encode("utf-8", "surrogateescape")
                    fix = f"{TOOL} patch edit {one.name.removesuffix('.patch')}"
                    yield Finding("PAT007", where, f"{one.name}: {text}", fix, details=(group.shown,))


def _undone(group: LineGroup, files: tuple[bytes, bytes], now: Sequence[LineGroup]) -> str:
    before, after = map(group.count, files)
    if not group.added:
        more = after - before
        return "the release holds lines that the patch removes at another place" if more > 0 else ""
    if after < before:
        return "lines that the patch adds are gone"
    if after > before:
        return "lines that the patch adds stand in more places than before"
    return "" if group.within(iter(now)) or not before else "the release holds lines of the patch already"


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
