"""The error of a series that stopped, with every patch that stops, the settled edits, and the next commands."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence

from ...declaration.declaration import read_declaration
from ...errors import ToolError
from ...git.command import with_index
from ...lockfile.pin import read_pin
from ...project import Project
from ...series.conflict import PatchStopped, UpstreamHistory
from ...series.next_steps import REFRESH, next_lines, settling
from ...series.series import read_series
from ...series.trial import Trial, trial_lines
from ..editing import Edit
from ..release.base_release import BaseRelease
from .other_files import patches_of_other_files


def with_all_that_stop(
    project: Project,
    base_release: BaseRelease,
    stopped: PatchStopped,
    edits: Sequence[Edit],
    trials: Sequence[Trial],
    *,
    order: Sequence[str],
    paused: bool,
) -> PatchStopped:
    """Return the error; edits that are settled stay open, and the command that writes them comes first."""
    names = list(order)
    stops = min((names.index(trial.stop.patch.name) for trial in trials), default=len(names))
    settled = sorted((edit.name for edit in edits if edit.name in names and _is_settled(edit)), key=names.index)
    ready = [name for name in settled if names.index(name) < stops]
    stopping = {trial.stop.patch.name for trial in trials}
    beside = [name for name in settled if name not in ready and _is_apart(project, base_release, name, stopping)]
    first = [f"{REFRESH} {shlex.quote(name.removesuffix('.patch'))}" for name in (*ready[-1:], *beside)]
    onward = next_lines((*first, *settling(trials, paused=paused)))
    said = f"nothing was written; settled, and still open: {', '.join(settled)}" if settled else "nothing was changed"
    history = _history(project, base_release)
    return PatchStopped(stopped.stop, said, (*trial_lines(trials, history), *onward))


def _is_apart(project: Project, base_release: BaseRelease, name: str, stopping: Collection[str]) -> bool:
    """Return whether a patch can be written while those that stop wait: the ones before it change other files."""
    series = read_series(project, read_declaration(project))
    at = [patch.name for patch in series].index(name)
    before = {patch.name for patch in series[:at]} & set(stopping)
    return before <= patches_of_other_files(base_release, series, name)


def _is_settled(edit: Edit) -> bool:
    try:
        edit.result()
    except ToolError:
        return False
    return True


def _history(project: Project, base_release: BaseRelease) -> UpstreamHistory:
    pin, repository = read_pin(project), base_release.repository
    index = with_index(repository, repository.folder, repository.folder / "screen-index")
    commits = (pin.commit if pin else None, base_release.target.commit)
    return UpstreamHistory(repository, index, *commits, subfolder=read_declaration(project).subfolder)
