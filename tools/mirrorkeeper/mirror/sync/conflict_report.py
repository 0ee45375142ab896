"""A synchronization that a patch stopped, shown to a person: reasons, the upstream's part in it, next steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import Paused
from ...git.command import Git, borrow_objects, with_index
from ...lockfile.pin import Pin
from ...project import Project
from ...series.conflict import PatchStopped, UpstreamHistory
from ...series.next_steps import next_lines
from ...series.trial import Trial, trial_lines
from ..source.source import Source, Target


@dataclass(frozen=True)
class ConflictReport:
    """Take the circumstances of the stop.

    Attributes:
        project: the project.
        source: where the upstream was fetched from.
        repository: git on the temporary repository whose index the patch was to be applied to.
        history: a folder for the upstream's whole history.
        old: the pin so far.
        target: the requested release.
    """

    project: Project
    source: Source
    repository: Git
    history: Path
    old: Pin | None
    target: Target

    def shown(self, stopped: PatchStopped, advice: str, trials: Sequence[Trial], onward: Sequence[str]) -> Paused:
        """Return the message about all patches that stopped, `onward` being the commands that lead on."""
        old, mirrored = self.old, self._lend()
        history = self.source.fetch(self.history, None, old.object_format if old else self.project.object_format)
        index = with_index(history, self.repository.folder, self.repository.folder / "index")
        commits = (old.commit if old else None, self.target.commit)
        meanwhile = UpstreamHistory(history, index, *commits, mirrored, self.source.subfolder)
        return Paused(stopped.text, advice, (*trial_lines(trials, meanwhile), *next_lines(onward)))

    def _lend(self) -> str:
        """Let the temporary repository see the tree that is mirrored now; return its id, or nothing."""
        old, project = self.old, self.project
        if old is None or project.prefix is None or project.object_format != old.object_format:
            return ""
        borrow_objects(self.repository, project.git)
        return old.final_tree
