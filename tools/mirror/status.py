"""One screen about the mirror: pin, state, patches, what is newer, what waits. Never fails because of what it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..errors import ToolError
from ..files import DiskFiles
from ..findings import CODES, Severity
from ..project import Project
from .declaration import read_declaration
from .desk import Desk
from .outdated import outdated
from .pin import read_pin
from .place import Place
from .verify import VerifyOptions, verify


def status_lines(project: Project) -> Iterator[str]:
    """Yield the lines; the upstream is only looked at when it is on this machine.

    Raises:
        ToolError: the declaration or the lock cannot be read.
    """
    declaration, pin = read_declaration(project), read_pin(project)
    yield f"upstream: {declaration.url}, {declaration.track}"
    if pin is None:
        yield "pin: none; python -m tools mirror sync makes one"
        return
    yield f"pin: {pin.name}, commit {pin.commit}, tree {pin.final_tree}"
    if pin.signature is not None:
        yield f"signed: by {pin.signature.signer}, key {pin.signature.key}"
    left_out = (
        f", {len(pin.excluded)} {'entry' if len(pin.excluded) == 1 else 'entries'} left out" if pin.excluded else ""
    )
    yield f"mirror: {declaration.path}{left_out}: {_state(project)}"
    names = ", ".join(patch.name for patch in pin.patches) or "none"
    yield f"patches: {names}"
    if Place.of(project, declaration).is_local:
        yield f"upstream now: {_upstream(project)}"
    desk = Desk(project, declaration, DiskFiles())
    paused = desk.paused()
    if paused is not None:
        yield f"paused: synchronisation to {paused.wanted}, at {paused.patch}; mirror sync --continue or --abort"
    for name in desk.edits():
        yield f"being edited: {name} in {desk.edit(name)}"


def _state(project: Project) -> str:
    report = verify(project, VerifyOptions())
    errors = Counter(finding.code for finding in report.findings if finding.severity is Severity.ERROR)
    notes = [finding.message for finding in report.findings if finding.code == "MIR011"]
    shown = [f"{count} {CODES[code].title} ({code})" for code, count in sorted(errors.items())]
    return "; ".join([*(shown or ["clean"]), *notes])


def _upstream(project: Project) -> str:
    try:
        findings = outdated(project).findings
    except ToolError as error:
        return error.text
    return "; ".join(finding.message for finding in findings) or "nothing newer"
