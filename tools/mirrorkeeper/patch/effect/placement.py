"""Parts of a patch that land in a function or class of another name than before, without a conflict.

A release that puts a new body into a function and keeps the old one under another name takes the patch along to the
dead copy: it applies, its lines are all there, and it has no effect any more.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence

from ...declaration.declaration import read_declaration
from ...findings import Finding
from ...git.command import Git
from ...lockfile.pin import read_pin
from ...project import Project
from ...series.document import parse_patch
from ...series.enclosing import PlacedGroup, placed_groups
from ...series.paths import parts
from ...series.sections import PatchSection
from ...tool_name import TOOL
from ..refreshing import Refreshed
from ..release.base_release import BaseRelease


def landed_elsewhere(
    project: Project, base_release: BaseRelease, made: Sequence[Refreshed], by_hand: Container[str] = ()
) -> Iterator[Finding]:
    """Yield a finding for each part of a patch that stood in another function or class before; none for `by_hand`."""
    pin = read_pin(project)
    if pin is None or pin.commit == base_release.target.commit:
        return
    # A patch after others was made for a file that only the project's own objects or the former series have.
    repositories = [base_release.repository, *([project.git] if project.prefix is not None else [])]
    for one in made:
        if one.before is None or not one.changed or one.name in by_hand:
            continue
        later = dict(parts(base_release.repository, parse_patch(one.name, one.content)))
        for path, section in parts(base_release.repository, one.before):
            raw = os.fsencode(path)
            new = os.fsdecode(base_release.renames.get(raw, raw))
            if new not in later:
                continue
            before, after = groups_in(repositories, section), groups_in(repositories, later[new])
            for old, group in moved_groups(before, after):
                where = os.fsencode(f"{read_declaration(project).path}/{new}")
                fix = f"{TOOL} patch edit {one.name.removesuffix('.patch')}"
                yield Finding("PAT010", where, f"{one.name}: {described(old, group)}", fix, details=(_first(group),))


def _first(group: PlacedGroup) -> str:
    return next(line for line in group.lines if line.strip()).strip().decode("utf-8", "backslashreplace")


def moved_groups(old: Iterable[PlacedGroup], new: Iterable[PlacedGroup]) -> Iterator[tuple[PlacedGroup, PlacedGroup]]:
    """Yield each group that is in both, as often, and stands inside of another definition; in its two places. Pure."""
    later = _by_lines(new)
    for lines, before in _by_lines(old).items():
        after = later.get(lines, [])
        if len(after) == len(before):
            yield from ((one, other) for one, other in zip(before, after, strict=True) if one.inside != other.inside)


def _by_lines(groups: Iterable[PlacedGroup]) -> dict[tuple[bytes, tuple[bytes, ...]], list[PlacedGroup]]:
    found = defaultdict(list)
    for group in groups:
        found[group.sign, group.lines].append(group)
    return found


def described(old: PlacedGroup, new: PlacedGroup) -> str:
    """The move, for people."""
    verb = "adds" if new.sign == b"+" else "removes"
    return f"lines that the patch {verb} stood in {_shown(old.inside)} and land in {_shown(new.inside)}"


def _shown(names: Sequence[str]) -> str:
    return ".".join(names) or "no function"


def groups_in(repositories: Iterable[Git], section: PatchSection) -> tuple[PlacedGroup, ...]:
    """Return the groups of a section in the file it was made for; none when no repository at hand has that file."""
    if not section.before.strip("0"):
        return ()
    for repository in repositories:
        output = repository.run("cat-file", "blob", section.before, check=False)
        if output.status == 0:
            return tuple(placed_groups(section, output.stdout))
    return ()
