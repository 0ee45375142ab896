"""Summary of a synchronization, gathered for people while the upstream's history is at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...declaration.declaration import Declaration
from ...declaration.used_names import parse_list
from ...errors import ToolError
from ...git.command import Git
from ...git.objects import Row
from ...lockfile.pin import Pin
from ...project import Project
from ...series.document import PatchDocument
from ...text import counted
from ...toml.table import read_text
from ...tool_name import TOOL
from ..source.candidate import NextTree
from .changes import Changes
from .worktree_state import WorktreeState

_SHOWN = 30


class Shortlog(NamedTuple):
    """The upstream's commits since the old pin: the newest of them as id and subject, and how many there are in all."""

    newest: tuple[tuple[str, str], ...] = ()
    commits: int = 0


class SyncSummary(NamedTuple):
    """Result of a synchronization, done or tried.

    Attributes:
        old: the pin before; None at the first time.
        pin: the pin after.
        files: how many files are mirrored.
        changes: the differences from before.
        shortlog: the upstream's commits; empty where its history is not at hand.
        reasons: why each patch is there, by its file name.
        relied_on: changed paths that boundary or entry rely on, each with the one that does.
        completed: whether files came back that a sparse checkout had left out.
        done: whether it was done; else it would be.
    """

    old: Pin | None
    pin: Pin
    files: int
    changes: Changes
    shortlog: Shortlog
    reasons: Mapping[str, str]
    relied_on: Mapping[bytes, str]
    completed: bool = False
    done: bool = True

    @property
    def line(self) -> str:
        """The outcome in a line."""
        pin, old = self.pin, self.old
        before = f" (was {old.name})" if old and old.commit != pin.commit else ""
        patches = f", {counted(len(pin.patches), 'patch', 'patches')}" if pin.patches else ""
        signed = f", signed by {pin.signature.signer}" if pin.signature else ""
        files = f"{counted(self.files, 'file')}{patches}{signed}"
        changed = f"; {self.changes.summary}" if old and self.changes.summary else ""
        verb = "brought" if self.done else "would bring"
        return f"{verb} the mirror to {pin.name}{before}: {files}, tree {pin.final_tree[:12]}{changed}"

    @property
    def is_new(self) -> bool:
        """Return whether another tree lies there than before."""
        return self.done and (self.old is None or self.old.final_tree != self.pin.final_tree)

    def lines(self) -> Iterator[str]:
        """Yield the summary in a line, one for each file that was renamed as far as they are shown, and remarks."""
        yield self.line
        span = f"{self.old.reference if self.old else ''}..{self.pin.reference}"
        yield from self.changes.lines(f"{TOOL} mirror diff --name-status {span}")
        if self.completed and self.done:
            yield "the mirror was written whole: `git sparse-checkout reapply` leaves out what it left out before"

    def patch_states(self) -> Iterator[tuple[str, str]]:
        """Each patch with its state: as before, made anew, new, or dropped."""
        before = {patch.name: patch.sha256 for patch in self.old.patches} if self.old else {}
        for patch in self.pin.patches:
            known = before.pop(patch.name, None)
            yield patch.name, "new" if known is None else "as before" if known == patch.sha256 else "made anew"
        for name in before:
            yield name, "dropped"


def summarize_sync(
    project: Project,
    declaration: Declaration,
    series: tuple[PatchDocument, ...],
    history: Git,
    step: tuple[Pin | None, NextTree, WorktreeState, Changes],
) -> SyncSummary:
    """Summarize a step from an old pin and folder to a candidate, with the changes between."""
    old, candidate, worktree_state, changes = step
    touched = _touched(worktree_state.pinned, candidate.rows)
    relied_on = {path: why for path, why in _relied_on(project, declaration) if path in touched}
    reasons = {patch.name: patch.fields.get("Why", "") for patch in series}
    shortlog = _shortlog(history, old, candidate.pin)
    return SyncSummary(
        old, candidate.pin, len(candidate.rows), changes, shortlog, reasons, relied_on, bool(worktree_state.left_out)
    )


def _touched(before: tuple[Row, ...], after: tuple[Row, ...]) -> set[bytes]:
    return {row.path for row in set(before).symmetric_difference(after)}


def _shortlog(history: Git, old: Pin | None, pin: Pin) -> Shortlog:
    if old is None or old.commit == pin.commit:
        return Shortlog()
    span = f"{old.commit}..{pin.commit}"
    paths = ("--", pin.subfolder) if pin.subfolder else ()
    count = history.run("rev-list", "--count", span, *paths, check=False)
    if count.status != 0:  # the history was not fetched, or one of the commits is gone
        return Shortlog()
    listed = history.run("log", f"--max-count={_SHOWN}", "--format=%h %s", span, *paths, check=False).text.splitlines()
    return Shortlog(
        tuple((oid, subject) for oid, _, subject in (line.partition(" ") for line in listed)), int(count.text)
    )


def _relied_on(project: Project, declaration: Declaration) -> Iterator[tuple[bytes, str]]:
    """Yield the paths of the mirror that the project relies on, each with the place that names it."""
    boundary = declaration.boundary
    if boundary is not None:
        try:
            listed = parse_list(read_text(project.root / boundary.symbols, boundary.symbols), boundary.symbols)
        except ToolError:  # the boundary's own gate says what is wrong with it
            listed = {}
        for module in sorted({symbol.module for symbol in listed}):
            place = "/".join([*([boundary.source] if boundary.source else []), *module.split(".")])
            for path in (f"{place}.py", f"{place}/__init__.py"):
                yield path.encode(), f"{boundary.symbols} uses {module}"
    if declaration.entry is not None:
        yield declaration.entry.source.encode(), f"{declaration.entry.target} is generated from it"
