"""What people do with patches: make one, edit one, make all anew for another release, drop one, change their order."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..errors import ToolError
from ..files import Files
from ..findings import Check, Finding, Report
from ..mirror.declaration import read_declaration
from ..mirror.desk import Desk
from ..mirror.drift import ignored_paths
from ..mirror.listing import index_rows, read_tree_rows
from ..mirror.pin import read_pin
from ..objects import LINK, SUBMODULE, Row
from ..project import Project
from ..worktree import read_rows
from .book import PatchBook, file_name
from .dependence import Standing, Standings
from .document import PatchDocument, parse_patch
from .editing import Edit
from .ground import Ground, release_ground
from .refreshing import Refreshed, make_patch, refresh_series
from .series import PatchedTree, read_series

_SYNC = "python -m tools mirror sync"


@dataclass(frozen=True)
class Reasons:
    """What the head of a patch has to say: why it is there, and when it may go or where it was sent."""

    why: str
    drop_when: str = ""
    forwarded: str = ""

    def head(self, subject: str) -> bytes:
        """The head of a patch file."""
        lines = [f"Subject: {subject}", f"Why: {self.why}"]
        lines += [f"Forwarded: {self.forwarded}"] if self.forwarded else []
        lines += [f"Drop-When: {self.drop_when}"] if self.drop_when else []
        return ("\n".join(lines) + "\n\n").encode()


class PatchWork:
    """The commands on patches of one project; each either does all of what it says or changes nothing."""

    def __init__(self, project: Project, files: Files, say: Callable[[str], None]) -> None:
        """Read the declaration; `say` gets lines about what is going on."""
        self._project = project
        self._files = files
        self._say = say
        self._declaration = read_declaration(project)
        self.book = PatchBook(project, self._declaration, files)
        self.desk = Desk(project, self._declaration, files)

    def series(self) -> tuple[PatchDocument, ...]:
        """The listed patches in order."""
        return read_series(self._project, self._declaration)

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the listed patches, in the order they are applied."""
        return self._declaration.patches

    def new(self, name: str, reasons: Reasons, *, from_mirror: bool) -> tuple[str, ...]:
        """Begin a patch after all others, in a repository to edit, or from the changes that lie in the mirror.

        Returns:
            The names of the files that were written; none while the patch is to be edited.

        Raises:
            ToolError: the name is taken, the head is not complete, or there is nothing to take from the mirror.
        """
        full = self.book.fresh(name)
        head = reasons.head(name.removesuffix(".patch"))
        parse_patch(full, head + b"diff --git ")  # the head is judged before anything is made
        with release_ground(self._project, self._declaration, self._files) as ground:
            done = refresh_series(ground, self.series())
            if not from_mirror:
                self._open(full, ground, done, head)
                return ()
            tree = self._tree_of_mirror(ground)
            before = done[-1].tree if done else ground.base
            made = (*done, make_patch(ground, full, None, head, (before, tree)))
        return self._written(made)

    def edit(self, name: str, *, again: bool) -> None:
        """Open a repository with the patch in its files, conflicts marked where it does not apply.

        Raises:
            ToolError: it is being edited already.
        """
        full = self.book.listed(name)
        if again:
            self.desk.close(full)
        series = self.series()
        at = [patch.name for patch in series].index(full)
        with release_ground(self._project, self._declaration, self._files) as ground:
            before = refresh_series(ground, series[:at])
            edit = self._open(full, ground, before, series[at].head)
            if not edit.bring(series[at]):
                self._say("it does not apply as it is: settle the marked conflicts, or the parts in *.rej files")

    def refresh(self) -> tuple[str, ...]:
        """Make every patch anew for the release, edits included; return the names of the files that changed.

        Raises:
            PatchStopped: a patch needs a person; nothing was written.
        """
        edits = self._edits()
        with release_ground(self._project, self._declaration, self._files) as ground:
            made = refresh_series(ground, self.series(), edits)
        return self._written(made, edits)

    def check(self) -> Report:
        """Report every patch whose file is not what a refresh would write, and every file patches leave as it was."""
        with release_ground(self._project, self._declaration, self._files) as ground:
            made = refresh_series(ground, self.series())
            cancelled = _cancelled(ground, made)
        folder = self._declaration.patch_folder
        findings = [
            Finding("PAT003", f"{folder}/{patch.name}".encode(), "is not what a refresh writes", _REFRESH)
            for patch in made
            if patch.changed
        ]
        for path in cancelled:
            text = "is touched by patches that together leave it as the upstream has it"
            findings.append(Finding("PAT006", self._declaration.path.encode() + b"/" + path, text, _REFRESH))
        return Report.of(
            "patch refresh", [Check("patches", f"{len(made)} made anew for {ground.target.name}")], findings
        )

    def drop(self, name: str) -> str:
        """Remove a patch from the list and from the folder, or give up one that was begun; return its file name."""
        full = file_name(name)
        if full in self._declaration.patches or full not in self.desk.edits():
            self.book.remove(self.book.listed(name))
        self.desk.close(full)
        return full

    def reorder(self, names: Sequence[str]) -> tuple[str, ...]:
        """Apply the patches in another order and make them anew for it; return the names of the files that changed.

        Raises:
            PatchStopped: they do not apply in that order; nothing was written.
        """
        order = [self.book.listed(name) for name in names]
        series = {patch.name: patch for patch in self.series()}
        if sorted(order) != sorted(series):
            raise ToolError("the new order has to name every patch once", f"now: {' '.join(series)}")
        with release_ground(self._project, self._declaration, self._files) as ground:
            made = refresh_series(ground, [series[name] for name in order])
        return self._written(made)

    def standings(self) -> tuple[Standing, ...]:
        """How each patch stands: alone, or on which others; nothing is written."""
        with release_ground(self._project, self._declaration, self._files) as ground:
            return Standings(ground, self.series()).find()

    def _edits(self) -> tuple[Edit, ...]:
        return tuple(Edit(self.desk.edit(name), name, self._files) for name in self.desk.edits())

    def _written(self, made: Sequence[Refreshed], edits: Sequence[Edit] = ()) -> tuple[str, ...]:
        changed = self.book.write(made)
        for edit in edits:
            self.desk.close(edit.name)
        return changed

    def _open(self, name: str, ground: Ground, before: Sequence[Refreshed], head: bytes) -> Edit:
        edit = Edit(self.desk.edit(name), name, self._files)
        if edit.exists:
            begun = name.removesuffix(".patch")
            again = "`patch edit --again`" if name in self._declaration.patches else f"`patch drop {begun}`"
            raise ToolError(f"{name} is being edited in {edit.folder}", f"finish with `patch refresh`, or {again}")
        self.desk.open()
        edit.open(ground, [(patch.name, patch.tree) for patch in before], head)
        self._say(f"{name} for {ground.target.name}: edit the files in {edit.folder}, then {_REFRESH}")
        return edit

    def _tree_of_mirror(self, ground: Ground) -> str:
        """Write what lies in the mirrored folder as a tree."""
        pin = read_pin(self._project)
        if pin is None or pin.commit != ground.target.commit:
            raise ToolError("the mirror is not at the release patches are made for", f"{_SYNC} --abort")
        top = self._project.root / self._declaration.path
        listed = [row for row in read_rows(top, pin.object_format) if row.oid]
        ignored = set(ignored_paths(self._project, self._declaration, [row.path for row in listed]))
        # What the upstream's own ignore files name may be tracked by it all the same.
        tracked = {row.path for row in read_tree_rows(ground.repository, ground.base) or ()}
        rows = [row for row in listed if row.path not in ignored or row.path in tracked]
        known = PatchedTree(ground.repository, ground.repository.folder, ground.base)
        return _write_rows(known, os.fsencode(top) + b"/", rows)


_REFRESH = "python -m tools patch refresh"


def _cancelled(ground: Ground, made: Sequence[Refreshed]) -> list[bytes]:
    """The paths that patches touch and that come out as the upstream has them."""
    trees = [ground.base, *(patch.tree for patch in made)]
    touched = {path for before, after in pairwise(trees) for path in _changed_paths(ground, before, after)}
    return sorted(touched - set(_changed_paths(ground, trees[0], trees[-1])))


def _changed_paths(ground: Ground, before: str, after: str) -> list[bytes]:
    command = ("diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after)
    return ground.repository.run(*command).stdout.split(b"\0")[:-1]


def _write_rows(at: PatchedTree, top: bytes, rows: Sequence[Row]) -> str:
    for row in rows:
        if row.mode == SUBMODULE or at.git.run("cat-file", "-e", row.oid, check=False).status == 0:
            continue
        if row.mode == LINK:
            content = os.readlink(top + row.path)  # noqa: PTH115 - the path is bytes, which Path does not take
        else:
            with open(top + row.path, "rb") as file:  # noqa: PTH123 - as above
                content = file.read()
        at.git.run("hash-object", "-w", "-t", "blob", "--stdin", stdin=content)
    at.git.run("read-tree", "--empty")
    at.git.run("update-index", "-z", "--index-info", stdin=index_rows(rows))
    return at.git.run("write-tree").text
