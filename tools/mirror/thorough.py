"""Every layer of the mirror compared with its pin, byte for byte, and the proof on top of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import ToolError
from ..findings import Check, Finding, Report
from ..objects import Row
from ..patch.series import read_series
from ..project import Project
from .agreement import SYNC
from .consistency import contradictions
from .declaration import Declaration
from .digest import sha256_of_blobs, sha256_of_files
from .drift import drift
from .flags import flag_findings, read_flags
from .layers import Layer, Seen, held_pin, see_commit, see_files, see_index
from .pin import Pin
from .proof import Files, prove


@dataclass(frozen=True)
class Compared:
    """What a comparison of every layer gave.

    Attributes:
        findings: what was found.
        summary: a line about what was compared.
        files: the working files.
        left_out: the index's rows of files that a sparse checkout leaves out.
    """

    findings: list[Finding]
    summary: str
    files: Seen
    left_out: tuple[Row, ...] = ()


def compare_layers(project: Project, declaration: Declaration, pin: Pin) -> Compared:
    """Compare every layer, byte for byte."""
    if project.prefix is None or project.object_format != pin.object_format:
        files = see_files(project, declaration, pin)
        findings = [*drift(project, declaration, [files]), *_digest_findings(project, declaration, pin, files)]
        return Compared(findings, "working files compared", files)
    flags = read_flags(project, declaration)
    files = see_files(project, declaration, pin, flags.skipped)
    index, commit = see_index(project, declaration, pin), see_commit(project, declaration, pin)
    commit = _repaired(commit, index)
    findings = [
        *_layer_notes(declaration, [index, commit]),
        *_ability_notes(declaration, files),
        *flag_findings(declaration, flags),
    ]
    findings.extend(drift(project, declaration, [commit, index, files]))
    findings.extend(_digest_findings(project, declaration, pin, files))
    absent = set(flags.skipped) - {row.path for row in files.rows}
    left_out = tuple(row for row in index.rows if row.path in absent)
    return Compared(findings, "working files, index and last commit compared", files, left_out)


def verify_revision(project: Project, declaration: Declaration, revision: str) -> Report:
    """Verify one commit of the project by the lock it holds; working files and index play no part.

    Raises:
        ToolError: there is no such commit, or it holds no lock.
    """
    if project.prefix is None:
        raise ToolError(f"{project.root} is not in a git repository", "leave --rev out")
    name = f"{revision}^{{commit}}"
    known = project.git.run("rev-parse", "--verify", "--quiet", "--end-of-options", name, check=False)
    if known.status != 0:
        raise ToolError(f"there is no commit {revision!r}", "name a branch, a tag or the id of a commit")
    pin = held_pin(project, f"{known.text}:{project.prefix}{project.lock}")
    if pin is None:
        raise ToolError(f"{revision} holds no {project.lock}", "name a commit since the first synchronisation")
    texts = contradictions(pin)
    findings = [Finding("PIN001", project.lock.encode(), text, SYNC) for text in texts]
    seen = see_commit(project, declaration, pin, known.text)
    findings.extend(drift(project, declaration, [seen]))
    summary = f"{declaration.path} of {known.text[:12]} at {pin.name}, tree {pin.final_tree[:12]}: compared"
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


def _ability_notes(declaration: Declaration, files: Seen) -> Iterator[Finding]:
    if files.note:
        fix = "python -m tools mirror doctor tells more"
        yield Finding("MIR015", declaration.path.encode(), files.note, fix)


def _digest_findings(project: Project, declaration: Declaration, pin: Pin, files: Seen) -> Iterator[Finding]:
    """Whether files that have the pinned ids also have the pinned SHA-256 ids; where they differ, drift says more."""
    if not pin.final_sha256:
        yield Finding("PIN012", project.lock.encode(), "does not hold the SHA-256 ids of its trees yet", SYNC)
        return
    pinned = files.wanted.by_path if files.wanted else {row.path: row for row in files.rows}
    rows = [row for row in files.rows if pinned.get(row.path) == row]
    whole = len(rows) == len(pinned) and (files.wanted is not None or files.tree == pin.final_tree)
    if whole and sha256_of_files(rows, files.digests) != pin.final_sha256:
        text = "every file has its pinned id, and yet one was exchanged: the SHA-256 id of the whole is another"
        yield Finding("PIN011", declaration.path.encode(), text, f"{SYNC} {pin.reference} --discard")


def proof_findings(project: Project, declaration: Declaration, pin: Pin, compared: Compared) -> Iterator[Finding]:
    """Prove the pin from the working files, those left out that are ignored build output; yield what refutes it."""
    top = declaration.path.encode()
    if any(finding.code == "MIR007" for finding in compared.findings):
        text = "cannot be proven from working files with other line endings"
        yield Finding("PIN003", top, text, "check the mirror out without line ending conversion")
        return
    ignored = {finding.path.removeprefix(top + b"/") for finding in compared.findings if finding.code == "MIR010"}
    rows = [row for row in compared.files.rows if row.path not in ignored]
    digests = dict(compared.files.digests)
    if compared.left_out:
        made = sha256_of_blobs(project.git, {row.oid for row in compared.left_out})
        digests.update((row.path, made[row.oid]) for row in compared.left_out)
    files = Files([*rows, *compared.left_out], digests)
    text = prove(project, declaration, pin, read_series(project, declaration), files)
    if text:
        yield Finding("PIN003", top, text, f"{SYNC} {pin.reference}")
