"""Parts of a patch that land in a function or class of another name than before, without a conflict.

A release that puts a new body into a function and keeps the old one under another name takes the patch along to the
dead copy: it applies, its lines are all there, and it has no effect any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence

from ...findings import Finding
from ...project import Project
from ...series.enclosing import PlacedGroup, placed_groups
from ..refreshing import Refreshed
from ..release.base_release import BaseRelease
from .changed_files import changed_files


def landed_elsewhere(
    project: Project, base_release: BaseRelease, made: Sequence[Refreshed], by_hand: Container[str] = ()
) -> Iterator[Finding]:
    """Yield a finding for each part of a patch that stood in another function or class before; none for `by_hand`."""
    for one in changed_files(project, base_release, made, by_hand):
        before, after = (tuple(placed_groups(*each)) for each in (one.before, one.after))
        for old, group in moved_groups(before, after):
            yield Finding(
                "PAT010", one.where, f"{one.patch}: {described(old, group)}", one.fix, details=(_first(group),)
            )


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
