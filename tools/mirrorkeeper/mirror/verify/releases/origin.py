"""The pinned release beside the declared upstream: the same tag, the same commit, fetched from the declared place.

A lock and a tree that agree with each other say nothing about their origin: both can be made from any repository. Only
the upstream itself, or a signature, can.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ....declaration.declaration import Declaration, read_declaration
from ....findings import Check, Finding, Report
from ....lockfile.missing_lock import missing_lock
from ....lockfile.pin import Pin, read_pin
from ....project import Project
from ....system.working_folder import working_folder
from ....tool_name import TOOL
from ...source.fetched_bundles import FetchedBundles
from ...source.place import Place
from ...source.source import Source
from .outdated import look_upstream, moved_findings, unreachable_findings


def check_origin(project: Project, *, offline: bool = False, fetched: FetchedBundles | None = None) -> Report:
    """Compare tag and commit of the pin with those of the declared upstream; `fetched` holds bundles fetched before.

    Raises:
        ToolError: nothing was mirrored yet, or the upstream cannot be reached.
    """
    declaration = read_declaration(project)
    pin = read_pin(project)
    if pin is None:
        raise missing_lock(project, declaration)
    source, lock = Source(project, declaration, offline=offline, fetched=fetched), project.lock.encode()
    with working_folder("origin-") as folder:
        tags, history = look_upstream(source, project, declaration, pin, Path(folder))
        findings = [*moved_findings(pin, tags, lock), *_elsewhere(project, declaration, pin)]
        if history is not None:
            findings.extend(unreachable_findings(history, pin, lock))
    return Report.of("origin", [Check("origin", f"{pin.name} compared with {declaration.url}")], findings)


def _elsewhere(project: Project, declaration: Declaration, pin: Pin) -> Iterator[Finding]:
    declared = Place.of(project, declaration).recorded
    if pin.fetched_from not in ("", declared):
        text = f"was fetched from {pin.fetched_from}, not from the declared {declared}"
        fix = f"{TOOL} mirror sync {pin.reference}"
        yield Finding("PIN016", project.lock.encode(), text, fix)
