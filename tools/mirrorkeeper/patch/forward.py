"""The patches tried against the releases ahead: applied as they are, made anew, or left to a person."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ..declaration.declaration import Declaration, read_declaration
from ..errors import ToolError
from ..findings import Check, Finding, Report
from ..git.command import Git, with_index
from ..lockfile.missing_lock import missing_lock
from ..lockfile.pin import Pin, read_pin
from ..mirror.source.candidate import base_of
from ..mirror.source.source import Source
from ..mirror.verify.releases.outdated import later_releases
from ..mirror.workspace.edit_workspace import EditWorkspace
from ..project import Project
from ..series.conflict import UpstreamHistory
from ..series.document import PatchDocument
from ..series.renames import renamed_files
from ..series.series import PatchedTree, read_series
from ..series.trial import Trial, one_trial, try_series
from ..system.files import DiskFiles
from ..system.working_folder import working_folder
from ..text import counted
from ..tool_name import TOOL
from .effect.copies import landed_in_one_copy
from .effect.placement import landed_elsewhere
from .effect.replaced import bound_again
from .effect.silent_drops import dropped_parts
from .refreshing import failing_patches, refresh_series
from .release.base_release import BaseRelease
from .release.former import store_former
from .undo import PatchUndo

_Reasoned: TypeAlias = "tuple[str, Finding]"
"""The reason why a patch needs a person, by which releases are told together, and the finding."""


def look_forward(project: Project, place: str | None = None, *, limit: int = 5, offline: bool = False) -> Report:
    """Try the patches against the next releases, the oldest first; nothing is written.

    Args:
        project: the project.
        place: another place to fetch from than the declared one.
        limit: the number of releases to try.
        offline: use no network.

    Raises:
        ToolError: nothing was mirrored yet, or the upstream cannot be reached.
    """
    declaration = read_declaration(project)
    pin = read_pin(project)
    if pin is None:
        raise missing_lock(project, declaration)
    series = read_series(project, declaration)
    checks, findings = [], []
    stops: dict[tuple[str, str], tuple[Finding, list[str]]] = {}
    with working_folder("forward-") as folder:
        source = Source(project, declaration, place, offline=offline)
        repository = source.fetch(Path(folder), None, pin.object_format)
        ahead = later_releases(declaration, pin, source.tags(repository), repository)
        if ahead:
            files = DiskFiles()
            undo = PatchUndo(project, declaration, EditWorkspace(project, declaration, files), files)
            store_former(repository, project, declaration, pin, undo)
        trial = _ReleaseTrial(project, declaration, pin, series, source, repository)
        for tag in ahead[:limit]:
            try:
                summary, found = trial.of(tag)
            except ToolError as error:
                findings.append(Finding("PAT009", project.lock.encode(), f"{tag}: {error.text}", error.advice))
                continue
            checks.append(Check(tag, summary))
            for reason, finding in found:
                stops.setdefault((finding.shown_path, reason), (finding, []))[1].append(tag)
    findings.extend(_of_several(finding, tags) for finding, tags in stops.values())
    if not ahead:
        checks.append(Check("forward", f"{pin.name} is the newest release"))
    return Report.of("mirror outdated --forward", checks, findings)


class _ReleaseTrial(NamedTuple):
    """The series and everything that a release ahead is judged with, as a synchronization with `--refresh` does."""

    project: Project
    declaration: Declaration
    pin: Pin
    series: tuple[PatchDocument, ...]
    source: Source
    repository: Git

    def of(self, tag: str) -> tuple[str, Sequence[_Reasoned]]:
        """Try the series against one release; return the summary, and findings with their reasons.

        Raises:
            ToolError: the release cannot be mirrored, or a patch would change nothing there.
        """
        target = self.source.find(self.repository, tag)
        base, _ = base_of(self.repository, target, self.declaration, self.pin.object_format)
        stopping = try_series(PatchedTree(self.repository, self.repository.folder, base), self.series)
        found: list[_Reasoned] = []
        if stopping:
            commits = (self.pin.commit, target.commit)
            renames = renamed_files(self.repository, *map(self.declaration.tree_of, commits))
            release = BaseRelease(self.repository, target, base, renames)
            failing = failing_patches(release, self.series, ())
            found = self._failing(release, failing) if failing else self._without_effect(release)
        by_hand = len({finding.shown_path for _, finding in found})
        clean = len(self.series) - len(stopping)
        anew = max(0, len(stopping) - by_hand)
        return f"{counted(clean, 'patch applies', 'patches apply')}, {anew} made anew, {by_hand} by hand", found

    def _failing(self, release: BaseRelease, failing: Sequence[Trial]) -> list[_Reasoned]:
        index = with_index(self.repository, self.repository.folder, self.repository.folder / "forward-index")
        commits = (self.pin.commit, release.target.commit)
        history = UpstreamHistory(self.repository, index, *commits, subfolder=self.declaration.subfolder)
        return [
            self._by_hand(release, one.stop.patch.name, str(one.stop.reason), tuple(one_trial(one, history)))
            for one in failing
        ]

    def _without_effect(self, release: BaseRelease) -> list[_Reasoned]:
        """Find patches that fit without a conflict and lose a part of their effect, at which a refresh pauses."""
        made = refresh_series(release, self.series)
        found: list[_Reasoned] = []
        for name in (one.name for one in made):
            others = {one.name for one in made} - {name}
            for judge in (dropped_parts, landed_elsewhere, bound_again, landed_in_one_copy):
                for one in judge(self.project, release, made, others):
                    reason = f"{one.code} {one.shown_path}: {one.message.removeprefix(f'{name}: ')}"
                    found.append(self._by_hand(release, name, reason, one.details))
        return found

    def _by_hand(self, release: BaseRelease, name: str, reason: str, details: tuple[str, ...]) -> _Reasoned:
        tag = release.target.name
        path = f"{self.declaration.patch_folder}/{name}".encode()
        text = f"needs a person for {tag}: {reason}"
        return reason, Finding("PAT009", path, text, f"{TOOL} mirror sync {tag} --refresh", details=details)


def _of_several(finding: Finding, tags: Sequence[str]) -> Finding:
    """Return the finding about the first release, with the number of later ones that the same patch stops at."""
    if not tags[1:]:
        return finding
    more = f"{tags[0]} and {counted(len(tags) - 1, 'later release')}"
    return finding._replace(message=finding.message.replace(tags[0], more, 1))
