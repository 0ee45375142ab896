"""Features that the file system of a project lacks, as git found out, and the effect on its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...git.command import Output, Running
from ...git.objects import FILE, LINK, PROGRAM, Row
from ...git.tree_diff import Rows
from ...project import Project


class Ability(NamedTuple):
    """Features of a file system: executable files, and links."""

    modes: bool = True
    links: bool = True

    @property
    def whole(self) -> bool:
        """Return whether the file system holds everything that a git tree holds."""
        return self.modes and self.links

    @property
    def lacking(self) -> str:
        """The lacking features, for people."""
        return " and ".join(
            text for text, there in (("executable files", self.modes), ("symbolic links", self.links)) if not there
        )


def features_of(project: Project) -> Ability:
    """Ask the settings of the project's own repository, which git writes when it makes or clones one."""
    return Ability() if project.prefix is None else parse_features(start_features(project).finish())


def start_features(project: Project) -> Running:
    """Ask the settings of the repository; `parse_features` reads the answer."""
    return project.git.start("config", "--type=bool", "--get-regexp", r"^core\.(filemode|symlinks)$")


def parse_features(listed: Output) -> Ability:
    """Return what the answer says; without one of the settings the file system has that feature. Pure."""
    lines = listed.text.splitlines()
    return Ability("core.filemode false" not in lines, "core.symlinks false" not in lines)


def as_meant(rows: Iterable[Row], wanted: Rows, ability: Ability) -> Iterator[Row]:
    """Yield the rows of the files, with the modes they would have where the file system could hold them.

    Bytes count as everywhere: a file stands for a link only with exactly the link's text.
    """
    for row in rows:
        meant = wanted.by_path.get(row.path)
        if meant is None or meant.mode == row.mode:
            yield row
        elif (not ability.modes and {meant.mode, row.mode} == {FILE, PROGRAM}) or (
            not ability.links and meant.mode == LINK and row.mode in (FILE, PROGRAM) and meant.oid == row.oid
        ):
            yield row._replace(mode=meant.mode)
        else:
            yield row
