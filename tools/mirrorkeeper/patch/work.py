"""Work on patches: create one, edit one, refresh all for another release, drop one, reorder them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager

from ..declaration.declaration import read_declaration
from ..errors import ToolError
from ..findings import Check, Finding, Report
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..project import Project
from ..series.conflict import PatchStopped, StopReason, reasons
from ..series.document import PatchDocument, parse_patch
from ..series.next_steps import REFRESH, next_lines, ordering, settling
from ..series.paths import refuse_paths
from ..series.renames import follow_renames
from ..series.series import read_series
from ..series.trial import Trial
from ..system.files import Files
from .accepted import accepted_tree, left_out_line
from .dependence import Standing, Standings
from .editing import Edit
from .effect.copies import landed_in_one_copy
from .effect.placement import landed_elsewhere
from .effect.replaced import bound_again
from .effect.silent_drops import dropped_parts, undone_lines
from .head import Reasons, author_lines
from .patch_files import PatchFiles, file_name
from .refreshing import Refreshed, failing_patches, make_patch, refresh_series
from .release.base_release import BaseRelease, fetch_base_release
from .several.other_files import patches_of_other_files
from .several.stopped_series import with_all_that_stop
from .staleness import AppliedSeries, stale_findings
from .undo import PatchUndo


class PatchWork:
    """The commands on patches of one project; each either completes or changes nothing."""

    def __init__(self, project: Project, files: Files, say: Callable[[str], None]) -> None:
        """Read the declaration; `say` gets progress lines."""
        self.project = project
        self._files = files
        self._say = say
        self._declaration = read_declaration(project)
        self.workspace = EditWorkspace(project, self._declaration, files)
        self._paused = self.workspace.paused() is not None
        undo = PatchUndo(project, self._declaration, self.workspace, files) if self._paused else None
        self.patch_files = PatchFiles(project, self._declaration, files, undo)

    def series(self) -> tuple[PatchDocument, ...]:
        """The listed patches in order."""
        return read_series(self.project, self._declaration)

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
        full = self.patch_files.fresh(name)
        head = reasons.head(name.removesuffix(".patch"), author_lines(self.project))
        parse_patch(full, head + b"diff --git ")  # the head is judged before anything is made
        with self._base_release() as base_release:
            done = refresh_series(base_release, self.series(), self._edits(self.order))
            if not from_mirror:
                self._open(full, base_release, done, head).finish()
                return ()
            tree, left = accepted_tree(self.project, self._declaration, base_release)
            before = done[-1].tree if done else base_release.base
            made = (*done, make_patch(base_release, full, None, head, (before, tree)))
        if left:
            self._say(left_out_line(full, left))
        return self._written(made)

    def edit(self, name: str, *, again: bool) -> None:
        """Open a repository with the patch in its files, conflicts marked where it does not apply.

        Raises:
            ToolError: it is being edited already.
        """
        full = self.patch_files.listed(name)
        if again:
            self.workspace.close(full)
        series = self.series()
        at = [patch.name for patch in series].index(full)
        with self._base_release(edited=(full,)) as base_release:
            others = patches_of_other_files(base_release, series, full)
            earlier = self._edits(self.order[:at])
            before = refresh_series(base_release, series[:at], earlier, total=len(series), optional=others)
            missing = [patch.name for patch in series[:at] if patch.name not in {one.name for one in before}]
            if missing:
                self._say(f"left out here: {', '.join(missing)} (not settled yet; other files than {full})")
            edit = self._open(full, base_release, before, series[at].head)
            below = base_release.target.name + (f" after {before[-1].name}" if before else "")
            if not edit.bring(follow_renames(series[at], base_release.renames), below):
                self._say("it does not apply as it is: settle the marked conflicts, or the parts in *.rej files")
            edit.finish()

    def refresh(self, name: str | None = None, *, attended: bool = True) -> tuple[str, ...]:
        """Make every patch anew for the release, edits included; return the names of the files that changed.

        With `name`, only that patch and those before it are made anew; the following ones are not tried, and edits of
        them stay open. So do those before it that need a person, where they change other files. Parts that the release
        undoes without a conflict are told; unless `attended`, they stop it.

        Raises:
            Paused: a patch needs a person; nothing was written.
        """
        series = self.series()
        if name is None:
            edits = self._edits()
        elif file_name(name) not in self.order and file_name(name) in self.workspace.edits():
            edits = self._edits((*self.order, file_name(name)))
        else:
            series = series[: self.order.index(self.patch_files.listed(name)) + 1]
            edits = self._edits([patch.name for patch in series])
        with self._base_release(edited=[edit.name for edit in edits]) as base_release:
            listed = name is not None and file_name(name) in self.order
            others = patches_of_other_files(base_release, series, series[-1].name) if listed else frozenset[str]()
            made = refresh_series(base_release, series, edits, total=len(self.order), optional=others)
            written = {patch.name for patch in made}
            edits = tuple(edit for edit in edits if edit.name in written)
            undone = self._undone(base_release, made, {edit.name for edit in edits})
        for line in (*undone_lines(undone, attended=attended), *(line for edit in edits for line in edit.remarks())):
            self._say(line)
        return self._written(made, edits)

    def check(self) -> Report:
        """Report every patch file that a refresh would write otherwise or cannot, and every file left as it was."""
        series = self.series()
        with self._base_release() as base_release:
            try:
                made = refresh_series(base_release, series)
            except PatchStopped:
                summary = f"not made anew for {base_release.target.name}"
                found = [self._stopped(trial) for trial in failing_patches(base_release, series, ())]
                return Report.of("patch refresh", [Check("patches", summary)], found)
            applied = AppliedSeries(
                base_release.repository, series, (base_release.base, *(patch.tree for patch in made))
            )
            findings = list(stale_findings(self._declaration, applied))
            findings.extend(self._undone(base_release, made))
        summary = f"{len(made)} made anew for {base_release.target.name}"
        return Report.of("patch refresh", [Check("patches", summary)], findings)

    def _undone(
        self, base_release: BaseRelease, made: Sequence[Refreshed], by_hand: Container[str] = ()
    ) -> Sequence[Finding]:
        """Find parts without their effect, or at another place than before; those of `by_hand` are not judged."""
        return (
            *dropped_parts(self.project, base_release, made, by_hand),
            *landed_elsewhere(self.project, base_release, made, by_hand),
            *bound_again(self.project, base_release, made, by_hand),
            *landed_in_one_copy(self.project, base_release, made, by_hand),
        )

    def _stopped(self, trial: Trial) -> Finding:
        stop = trial.stop
        code = "PAT005" if stop.reason is StopReason.UPSTREAM_HAS_IT else "PAT004"
        path = f"{self._declaration.patch_folder}/{stop.patch.name}".encode()
        fix = settling([trial], paused=self._paused)[0]
        return Finding(code, path, stop.text.removeprefix(":").strip(), fix)

    def drop(self, name: str) -> str:
        """Remove a patch from the list and from the folder, or give up one that was begun; return its file name."""
        full = file_name(name)
        if full in self._declaration.patches or full not in self.workspace.edits():
            self.patch_files.remove(self.patch_files.listed(name))
        self.workspace.close(full)
        return full

    def reorder(self, names: Sequence[str]) -> tuple[str, ...]:
        """Apply the patches in another order and make them anew for it; return the names of the files that changed.

        Raises:
            PatchStopped: they do not apply in that order; nothing was written.
        """
        order = [self.patch_files.listed(name) for name in names]
        series = {patch.name: patch for patch in self.series()}
        if sorted(order) != sorted(series):
            raise ToolError("the new order has to name every patch once", f"now: {' '.join(series)}")
        with self._base_release(reordered=True) as base_release:
            made = refresh_series(base_release, [series[name] for name in order])
        return self._written(made)

    def standings(self) -> tuple[Standing, ...]:
        """Report for each patch the ones it depends on; nothing is written."""
        with self._base_release() as base_release:
            return Standings(base_release, self.series()).find()

    @contextmanager
    def _base_release(self, *, reordered: bool = False, edited: Sequence[str] = ()) -> Iterator[BaseRelease]:
        """Fetch the release to make patches for; the error of a stopped patch shows all that stop, and next steps."""
        with fetch_base_release(self.project, self._declaration, self._files) as base_release:
            refuse_paths(base_release.repository, self.series(), self._declaration, edited)
            try:
                yield base_release
            except PatchStopped as stopped:
                if reordered:
                    lines = (*reasons(stopped.stop.patch), *next_lines(ordering()))
                    raise PatchStopped(stopped.stop, details=lines) from stopped
                about, edits = (self.project, base_release, stopped), self._edits()
                trials = failing_patches(base_release, self.series(), edits)
                raise with_all_that_stop(*about, edits, trials, order=self.order, paused=self._paused) from stopped

    def _edits(self, names: Container[str] | None = None) -> tuple[Edit, ...]:
        """Return the open edits, or those of the named patches."""
        open_ones = self.workspace.edits()
        kept = [name for name in open_ones if names is None or name in names]
        return tuple(Edit(self.workspace.edit(name), name, self._files) for name in kept)

    def _written(self, made: Sequence[Refreshed], edits: Sequence[Edit] = ()) -> tuple[str, ...]:
        changed = self.patch_files.write(made)
        for edit in edits:
            self.workspace.close(edit.name)
        return changed

    def _open(self, name: str, base_release: BaseRelease, before: Sequence[Refreshed], head: bytes) -> Edit:
        edit = Edit(self.workspace.edit(name), name, self._files)
        if edit.exists:
            begun = name.removesuffix(".patch")
            again = "`patch edit --again`" if name in self._declaration.patches else f"`patch drop {begun}`"
            raise ToolError(f"{name} is being edited in {edit.folder}", f"finish with `patch refresh`, or {again}")
        self.workspace.open()
        edit.open(base_release, [(patch.name, patch.tree) for patch in before], head)
        self._say(f"{name} for {base_release.target.name}: edit the files in {edit.folder}, then {REFRESH}")
        self._say("files that the tree's own ignore files name are only taken in after `git add --force`")
        return edit
