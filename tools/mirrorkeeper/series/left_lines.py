"""Lines that a patch removes and that a file without them at that place still holds: the upstream only moved them."""

from __future__ import annotations

from ..git.command import Git
from .line_groups import groups_of
from .sections import PatchSection


def left_line(index: Git, path: str, section: PatchSection) -> str:
    """Return the first line of a removed group that the file of the index has more often than the patch leaves it.

    Empty when there is none, and where the file that the patch was made for is not at hand.
    """
    groups = [group for group in groups_of(section) if not group.added]
    if not groups:
        return ""
    made_for, now = (index.run("cat-file", "blob", name, check=False) for name in (section.before, f":{path}"))
    if made_for.status != 0 or now.status != 0:
        return ""
    for group in groups:
        if group.count(now.stdout) > max(0, group.count(made_for.stdout) - groups.count(group)):
            return group.shown
    return ""
