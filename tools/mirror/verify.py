"""`mirror verify`: the mirrored tree against its lock, the lock against itself and against `upstream.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..errors import ToolError
from ..findings import Check, Finding, Report, Severity
from ..patch.series import read_series
from ..project import Project
from .agreement import SYNC, bundle_findings, lock_findings, patch_findings
from .declaration import Declaration, read_declaration
from .drift import drift
from .layers import Layer, Seen, see_commit, see_files, see_index
from .pin import Pin, read_pin
from .proof import prove


@dataclass(frozen=True)
class VerifyOptions:
    """How hard to look: `prove` rebuilds the upstream's root tree, `strict` makes notes count as errors."""

    prove: bool = False
    strict: bool = False


def verify(project: Project, options: VerifyOptions) -> Report:
    """Verify the mirror of a project and report every difference.

    Raises:
        ToolError: there is no lock yet, or something cannot be read.
    """
    declaration = read_declaration(project)
    pin = read_pin(project)
    if pin is None:
        raise ToolError(f"{project.lock} is not there: nothing was mirrored yet", SYNC)
    findings = [
        *lock_findings(project, declaration, pin),
        *patch_findings(project, declaration, pin),
        *bundle_findings(project, declaration),
    ]
    seen = [see_files(project, declaration, pin)]
    layers = "working files"
    if project.prefix is not None and project.object_format == pin.object_format:
        index, commit = see_index(project, declaration, pin), see_commit(project, declaration, pin)
        commit = _repaired(commit, index)
        findings.extend(_layer_notes(declaration, [index, commit]))
        seen = [commit, index, *seen]
        layers = "working files, index and last commit"
    findings.extend(drift(project, declaration, seen))
    proven = options.prove and not any(finding.severity is Severity.ERROR for finding in findings)
    if proven:
        refuted = list(_proof_findings(project, declaration, pin, findings))
        findings.extend(refuted)
        proven = not refuted
    if options.strict:
        findings = [replace(finding, escalated=True) for finding in findings]
    aside = ", proven from the commit object" if proven else ""
    summary = f"{declaration.path} at {pin.name}, tree {pin.final_tree[:12]}: {layers} compared{aside}"
    return Report.of("mirror verify", [Check("mirror check", summary)], findings)


def _repaired(commit: Seen, index: Seen) -> Seen:
    """A drifted commit whose repair is staged is a note: the next commit mends it, and must not be refused."""
    drifted = bool(commit.differences) or commit.unlisted
    if drifted and not index.differences and not index.unlisted and index.tree != commit.tree:
        return Seen(Layer.COMMIT, commit.tree, note="holds a changed mirror; its repair is staged")
    return commit


def _layer_notes(declaration: Declaration, seen: list[Seen]) -> Iterator[Finding]:
    for one in seen:
        if one.note:
            fix = "commit the mirror with its lock"
            yield Finding("MIR011", declaration.path.encode(), f"{one.layer}: {one.note}", fix)


def _proof_findings(
    project: Project, declaration: Declaration, pin: Pin, findings: Sequence[Finding]
) -> Iterator[Finding]:
    top = declaration.path.encode()
    if any(finding.code == "MIR007" for finding in findings):
        text = "cannot be proven from working files with other line endings"
        yield Finding("PIN003", top, text, "check the mirror out without line ending conversion")
        return
    ignored = {finding.path.removeprefix(top + b"/") for finding in findings if finding.code == "MIR010"}
    text = prove(project, declaration, pin, read_series(project, declaration), ignored)
    if text:
        yield Finding("PIN003", top, text, SYNC)
