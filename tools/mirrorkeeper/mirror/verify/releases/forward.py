"""The patches tried against the releases ahead: applied as they are, made anew, or left to a person."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ....declaration.declaration import Declaration, read_declaration
from ....errors import ToolError
from ....findings import Check, Finding, Report
from ....git.command import Git
from ....lockfile.missing_lock import missing_lock
from ....lockfile.pin import Pin, read_pin
from ....project import Project
from ....series.conflict import UpstreamHistory
from ....series.document import PatchDocument
from ....series.series import PatchedTree, read_series
from ....series.trial import Trial, one_trial, try_series
from ....text import counted
from ....tool_name import TOOL
from ...source.candidate import base_of
from ...source.source import Source
from .outdated import later_releases


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
    with tempfile.TemporaryDirectory(prefix="forward-") as folder:
        source = Source(project, declaration, place, offline=offline)
        repository = source.fetch(Path(folder), None, pin.object_format)
        ahead = later_releases(declaration, pin, source.tags(repository), repository)
        for tag in ahead[:limit]:
            try:
                trials, history = _tried(source, repository, declaration, (tag, series, pin))
            except ToolError as error:
                findings.append(Finding("PAT009", project.lock.encode(), f"{tag}: {error.text}", error.advice))
                continue
            checks.append(Check(tag, _summary(series, trials)))
            for key, finding in _findings(declaration, tag, trials, history):
                stops.setdefault(key, (finding, []))[1].append(tag)
    findings.extend(_of_several(finding, tags) for finding, tags in stops.values())
    if not ahead:
        checks.append(Check("forward", f"{pin.name} is the newest release"))
    return Report.of("mirror outdated --forward", checks, findings)


def _tried(
    source: Source, repository: Git, declaration: Declaration, step: tuple[str, tuple[PatchDocument, ...], Pin]
) -> tuple[tuple[Trial, ...], UpstreamHistory]:
    tag, series, pin = step
    target = source.find(repository, tag)
    base, _ = base_of(repository, target, declaration, pin.object_format)
    patched = PatchedTree(repository, repository.folder, base)
    trials = try_series(patched, series)
    return trials, UpstreamHistory(repository, patched.git, pin.commit, target.commit, subfolder=declaration.subfolder)


def _summary(series: tuple[PatchDocument, ...], trials: tuple[Trial, ...]) -> str:
    by_hand = sum(not trial.refreshable for trial in trials)
    clean = len(series) - len(trials)
    return f"{counted(clean, 'patch applies', 'patches apply')}, {len(trials) - by_hand} made anew, {by_hand} by hand"


def _of_several(finding: Finding, tags: Sequence[str]) -> Finding:
    """Return the finding about the first release, with the number of later ones that the same patch stops at."""
    if not tags[1:]:
        return finding
    more = f"{tags[0]} and {counted(len(tags) - 1, 'later release')}"
    return finding._replace(message=finding.message.replace(tags[0], more, 1))


def _findings(
    declaration: Declaration, tag: str, trials: tuple[Trial, ...], history: UpstreamHistory
) -> Iterator[tuple[tuple[str, str], Finding]]:
    for trial in trials:
        if not trial.refreshable:
            path = f"{declaration.patch_folder}/{trial.stop.patch.name}".encode()
            text = f"needs a person for {tag}: {trial.stop.reason}"
            details = tuple(one_trial(trial, history))
            key = (trial.stop.patch.name, str(trial.stop.reason))
            yield key, Finding("PAT009", path, text, f"{TOOL} mirror sync {tag} --refresh", details=details)
