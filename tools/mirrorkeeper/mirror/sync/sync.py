"""The synchronization: fetch, validate, patch, write beside the mirror, switch, index, lock file last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ... import releases
from ...declaration.declaration import Declaration, read_declaration
from ...declaration.separate_folders import refuse_overlap
from ...errors import ToolError
from ...findings import Severity
from ...git.objects import Row
from ...lockfile.missing_lock import is_lock_missing, missing_lock
from ...lockfile.pin import Pin, read_pin
from ...progress import Silent
from ...project import Project
from ...series.conflict import PatchStopped
from ...series.next_steps import settling, trying_for_real
from ...series.series import PatchedTree, read_series
from ...series.trial import try_series
from ...system.files import Files
from ...text import counted
from ...tool_name import TOOL
from ..source.bundle_folder import bundle_record
from ..source.candidate import NextTree, base_of, build_candidate
from ..source.moved_tags import notes_on, refuse_moved_tag, refuse_other_name
from ..source.object_format import agreed_format
from ..source.place import Place
from ..source.signature import check_signature
from ..source.source import Source
from ..tree.blocked_path import blocked_path, refuse_blocked_path
from ..tree.digest import sha256_of_trees
from ..tree.staging import import_objects, never_clean_notes, refresh_index, stage
from ..verify.lock_check import lock_findings, patch_findings, signature_findings
from ..workspace.edit_workspace import EditWorkspace, PausedSync
from ..workspace.journal import Journal
from ..workspace.recovery import recover
from ..workspace.transaction import Transaction
from .changes import Changes, find_changes
from .conflict_report import ConflictReport
from .sync_options import SyncOptions, refuse_another
from .sync_summary import SyncSummary, summarize_sync
from .worktree_state import WorktreeState, is_whole, read_worktree_state
from .write_tree import Kept, carry, switch, write_tree


class Synchronization:
    """One run of `mirror sync`, with its collaborators."""

    def __init__(
        self, project: Project, files: Files, say: Callable[[str], None], progress: Silent | None = None
    ) -> None:
        """Take the project, the disk, a place for lines, and the progress display."""
        self._project = project
        self._files = files
        self._say = say
        self._progress = progress or Silent()
        self.summary: SyncSummary | None = None  # of the last run that came to its end; None when nothing was to do

    def run(self, options: SyncOptions) -> Pin:
        """Bring the mirror to the requested release and return its pin.

        Raises:
            ToolError: it could not be done; the mirror is as it was.
            Paused: a patch does not apply; the mirror is as it was.
        """
        declaration = read_declaration(self._project)
        refuse_overlap(self._project, declaration)
        refuse_blocked_path(self._project, declaration)
        workspace = EditWorkspace(self._project, declaration, self._files)
        with Transaction(self._project, declaration, self._files) as transaction:
            said = recover(self._project, declaration, self._files, transaction)
            if said:
                self._say(said)
            old = read_pin(self._project)
            if old is not None and self._is_done(declaration, options, old):
                self._say(f"the mirror is at {old.name} already, tree {old.final_tree[:12]}")
                return old
            refuse_another(workspace, options, old)
            self._progress.step("looking at the mirror")
            worktree_state = read_worktree_state(self._project, declaration, old)
            self._refuse(declaration, options, old, worktree_state)
            candidate = self._candidate(declaration, options, old, transaction, workspace)
            if not options.discard:  # those that a patch holds by now lose nothing
                worktree_state.without_coming(declaration, candidate.rows).refuse_changes(declaration)
            own = worktree_state.kept(declaration, candidate.rows, discard=options.discard)
            changes = find_changes(candidate.repository, transaction.mirror, worktree_state, candidate.rows)
            summary = self._summary(declaration, options, (old, candidate, worktree_state, changes))
            if not options.dry_run:
                kept = Kept.of(transaction.mirror, () if options.discard else worktree_state.rows)
                self._put_in_place(declaration, candidate, transaction, kept, own)
                workspace.forget_sync()
        for line in (*(never_clean_notes(self._project, declaration) if summary.is_new else ()), *summary.lines()):
            self._say(line)
        if own:
            self._say(f"  keeps {counted(len(own), 'file')} of {declaration.path} that git ignores")
        self.summary = summary
        return candidate.pin

    def _refuse(
        self, declaration: Declaration, options: SyncOptions, old: Pin | None, worktree_state: WorktreeState
    ) -> None:
        in_the_way = worktree_state.foreign and not options.discard
        unknown = in_the_way and blocked_path(self._project, declaration) is None
        if old is None and (unknown or (options.wanted is None and is_lock_missing(self._project))):
            raise missing_lock(self._project, declaration)
        again = old is not None and options.wanted in (None, old.reference, old.commit)
        if in_the_way and not again:
            worktree_state.refuse_changes(declaration)

    def _summary(
        self, declaration: Declaration, options: SyncOptions, step: tuple[Pin | None, NextTree, WorktreeState, Changes]
    ) -> SyncSummary:
        history = Source(self._project, declaration, options.source).history(step[1].repository)
        series = read_series(self._project, declaration)
        return summarize_sync(self._project, declaration, series, history, step)._replace(done=not options.dry_run)

    def paused_options(self) -> SyncOptions:
        """Return the options that take the paused synchronization up.

        Raises:
            ToolError: none is paused.
        """
        declaration = read_declaration(self._project)
        paused = EditWorkspace(self._project, declaration, self._files).paused()
        if paused is None:
            raise ToolError("no synchronization is paused", f"{TOOL} mirror sync [TAG]")
        return SyncOptions.taking_up(paused)

    def interrupted_options(self) -> SyncOptions | None:
        """Return the options of a synchronization that ended while it made patches anew; None when none did."""
        declaration = read_declaration(self._project)
        workspace = EditWorkspace(self._project, declaration, self._files)
        paused = workspace.paused() if workspace.refreshing.exists() else None
        return SyncOptions.taking_up(paused) if paused is not None else None

    def go_on(self) -> Pin:
        """Take up the paused synchronization and return the pin it ends with; errors as `run`, and none is paused."""
        return self.run(self.paused_options())

    def _is_done(self, declaration: Declaration, options: SyncOptions, old: Pin) -> bool:
        """Return whether the pinned release is requested again and nothing changed since."""
        if options.wanted is not None or options.dry_run or options.discard or options.accept_moved_tag:
            return False
        disagreements = (
            *lock_findings(self._project, declaration, old),
            *patch_findings(self._project, declaration, old),
            *signature_findings(self._project, declaration, old),
        )
        if any(one.severity is Severity.ERROR for one in disagreements) or old.fetched_from == "":
            return False
        if old.bundles is None and bundle_record(Place.of(self._project, declaration)) is not None:
            return False
        return is_whole(self._project, declaration, old)

    def _candidate(
        self,
        declaration: Declaration,
        options: SyncOptions,
        old: Pin | None,
        transaction: Transaction,
        workspace: EditWorkspace,
    ) -> NextTree:
        series = read_series(self._project, declaration)
        wanted = options.wanted or (old.reference if old else None)
        source = Source(self._project, declaration, options.source, offline=options.offline)
        pinned = old.object_format if old else ""
        object_format = agreed_format(self._project, pinned, source.place, offline=options.offline)
        self._progress.step(f"fetching {wanted or 'the releases'}")
        repository = source.fetch(transaction.objects, wanted, object_format)
        if wanted is None:
            versions = {declaration.version_of(tag) or "": tag for tag in source.releases(repository)}
            newest = releases.latest(versions)
            if newest is None:
                raise ToolError(f"no tag matches {declaration.track!r}", "name a tag or a full commit id")
            wanted = versions[newest]
        target = source.find(repository, wanted)
        if not options.accept_moved_tag:
            refuse_moved_tag(old, target)
        self._progress.step(f"checking {target.name}")
        objects = (target.tag_object, target.commit_object)
        signature = check_signature(self._project, declaration, target.name, objects, object_format)
        refuse_other_name(target)
        try:
            candidate = build_candidate(repository, target, declaration, series, object_format)
        except PatchStopped as stopped:
            conflict_report = ConflictReport(self._project, source, repository, transaction.history, old, target)
            base, _ = base_of(repository, target, declaration, object_format)
            trials = try_series(PatchedTree(repository, repository.folder, base), series)
            if options.dry_run:
                onward = trying_for_real(wanted, options.source)
                raise conflict_report.shown(
                    stopped, "nothing is paused: this was a dry run", trials, onward
                ) from stopped
            stop = stopped.stop
            by_hand = [one.stop.patch.name for one in trials if not one.refreshable] or [stop.patch.name]
            again = (source.remembered, ", ".join(by_hand), options.discard, options.accept_moved_tag, options.refresh)
            workspace.pause(PausedSync(wanted, *again))
            raise conflict_report.shown(
                stopped, "the mirror is as it was", trials, settling(trials, paused=True)
            ) from stopped
        for note in notes_on(old, target, source, repository) if old is not None else ():
            self._say(note)
        self._progress.step("hashing contents")
        base, final = sha256_of_trees(candidate.repository, (candidate.pin.base_tree, candidate.pin.final_tree))
        pin = candidate.pin._replace(
            signature=signature,
            base_sha256=base,
            final_sha256=final,
            fetched_from=source.place.recorded,
            bundles=bundle_record(Place.of(self._project, declaration)),
        )
        return replace(candidate, pin=pin)

    def _put_in_place(
        self, declaration: Declaration, candidate: NextTree, transaction: Transaction, kept: Kept, own: Sequence[Row]
    ) -> None:
        project, files, pin = self._project, self._files, candidate.pin
        staging = project.prefix is not None
        self._progress.step("writing files")
        rows = self._progress.count(candidate.rows, len(candidate.rows))
        write_tree(files, candidate.repository, rows, transaction.new, kept)
        carry(files, own, transaction.mirror, transaction.new)
        self._progress.step("recording in git")
        files.write(transaction.pin, pin.render())
        if staging:
            import_objects(project, candidate.repository, pin.final_tree)
        files.flush(transaction.folder)
        Journal(pin.name, pin.final_tree, transaction.new.stat().st_ino, staging).save(files, transaction.journal)
        switch(files, transaction)
        if staging:
            stage(project, declaration, pin.final_tree, pin.render())
        files.rename(transaction.pin, project.lock_path)
        transaction.clear()
        if staging:
            refresh_index(project)
