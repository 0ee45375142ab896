"""One screen about the mirror: pin, state, patches, newer releases, unfinished work. It never fails for a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from ...declaration.declaration import Declaration, read_declaration
from ...errors import ToolError
from ...findings import CODES, Severity
from ...lockfile.pin import read_pin
from ...project import Project
from ...system.files import DiskFiles
from ...text import counted, shown_path
from ...tool_name import TOOL
from ..source.place import Place
from ..tree.empty_folders import empty_folders
from ..verify.releases.outdated import outdated
from ..verify.verify import VerifyOptions, verify
from ..workspace.edit_workspace import EditWorkspace


def status_lines(project: Project) -> Iterator[str]:
    """Yield the lines; anything unreadable is a line too. The upstream is looked at only on this machine.

    Raises:
        ToolError: the declaration cannot be read: nothing is known without it.
    """
    declaration = read_declaration(project)
    yield f"upstream: {declaration.url}, {declaration.track}"
    yield from _told("pin", partial(_about_pin, project, declaration))
    if Place.of(project, declaration).is_local:
        yield from _told("upstream now", partial(_about_upstream, project))
    for folder in empty_folders(project, declaration):
        yield f"empty folder, which git does not keep: {shown_path(folder)}"
    workspace = EditWorkspace(project, declaration, DiskFiles())
    yield from _told("paused", partial(_about_pause, workspace))
    for name in workspace.edits():
        yield f"being edited: {name} in {workspace.edit(name)}"


def _told(what: str, lines: Callable[[], Iterator[str]]) -> Iterator[str]:
    """The lines, or the one that says why there are no more of them."""
    try:
        yield from lines()
    except ToolError as error:
        yield f"{what}: {error.text}{f' ({error.advice})' if error.advice else ''}"


def _about_pin(project: Project, declaration: Declaration) -> Iterator[str]:
    pin = read_pin(project)
    if pin is None:
        yield f"pin: none; {TOOL} mirror sync makes one"
        return
    yield f"pin: {pin.name}, commit {pin.commit}, tree {pin.final_tree}"
    if pin.signature is not None:
        yield f"signed: by {pin.signature.signer}, key {pin.signature.key}"
    left_out = f", {counted(len(pin.excluded), 'entry', 'entries')} left out" if pin.excluded else ""
    names = ", ".join(patch.name for patch in pin.patches) or "none"
    yield from _told("mirror", lambda: iter([f"mirror: {declaration.path}{left_out}: {_state(project)}"]))
    yield f"patches: {names}"


def _about_upstream(project: Project) -> Iterator[str]:
    if project.lock_path.exists():
        yield f"upstream now: {'; '.join(one.message for one in outdated(project).findings) or 'nothing newer'}"


def _about_pause(workspace: EditWorkspace) -> Iterator[str]:
    paused = workspace.paused()
    if paused is not None:
        yield f"paused: synchronization to {paused.wanted}, at {paused.patch}; mirror sync --continue or --abort"


def _state(project: Project) -> str:
    report = verify(project, VerifyOptions())
    errors = Counter(finding.code for finding in report.findings if finding.severity is Severity.ERROR)
    notes = [finding.message for finding in report.findings if finding.code == "MIR011"]
    shown = [f"{count} {CODES[code].title} ({code})" for code, count in sorted(errors.items())]
    return "; ".join([*(shown or ["clean"]), *notes])
