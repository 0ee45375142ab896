"""The synchronisation: fetch, validate, patch, write beside the mirror, switch, index, lock file last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .. import releases
from ..errors import ToolError
from ..files import Files
from ..findings import Finding, Severity
from ..journal import Journal
from ..patch.series import read_series
from ..project import Project
from .candidate import Candidate, build_candidate
from .declaration import Declaration, read_declaration
from .drift import worktree_findings
from .materialise import switch, write_tree
from .pin import Pin, read_pin
from .recovery import recover
from .source import Source, Target
from .staging import import_objects, stage
from .workroom import Workroom

_SHOWN = 5


@dataclass(frozen=True)
class SyncOptions:
    """What was asked for.

    Attributes:
        wanted: tag or full commit id; None takes the pin again, or the newest release when there is no pin.
        source: another place to fetch from than the declared one.
        dry_run: build and validate everything, change nothing.
        discard: overwrite local changes in the mirror.
        accept_moved_tag: take a tag that points elsewhere than when it was pinned.
    """

    wanted: str | None = None
    source: str | None = None
    dry_run: bool = False
    discard: bool = False
    accept_moved_tag: bool = False


class Synchronisation:
    """One run of `mirror sync`, with its collaborators."""

    def __init__(self, project: Project, files: Files, say: Callable[[str], None]) -> None:
        """Take the project, the disk, and where progress lines go."""
        self._project = project
        self._files = files
        self._say = say

    def run(self, options: SyncOptions) -> Pin:
        """Bring the mirror to what was asked for and return its pin.

        Raises:
            ToolError: it could not be done; the mirror is as it was.
            Paused: a patch does not apply; the mirror is as it was.
        """
        declaration = read_declaration(self._project)
        with Workroom(self._project, declaration, self._files) as room:
            said = recover(self._project, declaration, self._files, room)
            if said:
                self._say(said)
            old = read_pin(self._project)
            if not options.discard:
                self._refuse_dirty(declaration, old)
            candidate = self._candidate(declaration, options, old, room)
            if options.dry_run:
                self._say(_summary(old, candidate, "would bring"))
                return candidate.pin
            self._put_in_place(declaration, candidate, room)
        self._say(_summary(old, candidate, "brought"))
        return candidate.pin

    def _refuse_dirty(self, declaration: Declaration, old: Pin | None) -> None:
        findings = worktree_findings(self._project, declaration, old)
        dirty = [finding for finding in findings if finding.severity is Severity.ERROR]
        if dirty:
            listed = ", ".join(_named(finding) for finding in dirty[:_SHOWN])
            more = f" and {len(dirty) - _SHOWN} more" if len(dirty) > _SHOWN else ""
            raise ToolError(
                f"{declaration.path} has changes of its own: {listed}{more}",
                "move them upstream or into a patch; --discard overwrites them",
            )

    def _candidate(self, declaration: Declaration, options: SyncOptions, old: Pin | None, room: Workroom) -> Candidate:
        series = read_series(self._project, declaration)
        object_format = old.object_format if old else self._project.object_format
        wanted = options.wanted or (old.tag.name if old and old.tag else old.commit if old else None)
        source = Source(self._project, declaration, options.source)
        repository = source.fetch(room.objects, wanted, object_format)
        if wanted is None:
            versions = {declaration.version_of(tag) or "": tag for tag in source.releases(repository)}
            newest = releases.newest(versions)
            if newest is None:
                raise ToolError(f"no tag matches {declaration.track!r}", "name a tag or a full commit id")
            wanted = versions[newest]
        target = source.find(repository, wanted)
        if not options.accept_moved_tag:
            _refuse_moved_tag(old, target)
        return build_candidate(repository, target, declaration, series, object_format)

    def _put_in_place(self, declaration: Declaration, candidate: Candidate, room: Workroom) -> None:
        project, files, pin = self._project, self._files, candidate.pin
        staging = project.prefix is not None
        if staging and project.object_format != pin.object_format:
            raise ToolError(
                f"the project's repository is {project.object_format}, the upstream {pin.object_format}",
                "mirror into a repository of the upstream's object format",
            )
        write_tree(files, candidate.repository, candidate.rows, room.new)
        files.write(room.pin, pin.render())
        if staging:
            import_objects(project, candidate.repository, pin.final_tree)
        files.flush(room.folder)
        Journal(pin.name, pin.final_tree, room.new.stat().st_ino, staging).save(files, room.journal)
        switch(files, room)
        if staging:
            _stage(project, declaration, pin)
        files.rename(room.pin, project.lock_path)
        room.clear()


def _stage(project: Project, declaration: Declaration, pin: Pin) -> None:
    try:
        stage(project, declaration, pin.final_tree, pin.render())
    except ToolError as error:
        advice = "the new tree is in place; any mirror command finishes the rest as soon as the index can be written"
        raise ToolError(error.text, advice) from error


def _named(finding: Finding) -> str:
    return f"{finding.shown_path} ({finding.code})"


def _refuse_moved_tag(old: Pin | None, target: Target) -> None:
    if old is None or old.tag is None or target.tag is None or old.tag.name != target.tag.name:
        return
    if old.tag.oid != target.tag.oid or old.commit != target.commit:
        raise ToolError(
            f"the tag {target.tag.name} moved upstream: pinned at {old.commit}, now at {target.commit}",
            "find out why, then use --accept-moved-tag",
        )


def _summary(old: Pin | None, candidate: Candidate, verb: str) -> str:
    pin = candidate.pin
    before = f" (was {old.name})" if old and old.commit != pin.commit else ""
    patches = f", {len(pin.patches)} patches" if pin.patches else ""
    return f"{verb} the mirror to {pin.name}{before}: {len(candidate.rows)} files{patches}, tree {pin.final_tree[:12]}"
