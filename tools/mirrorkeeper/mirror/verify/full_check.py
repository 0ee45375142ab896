"""Every layer of the mirror compared with its pin, byte for byte, and the proof on top of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...declaration.declaration import Declaration
from ...findings import Finding
from ...lockfile.pin import Pin
from ...project import Project
from ...series.series import read_series
from ...tool_name import TOOL
from ..tree.conversion import CONVERTED, LARGE
from ..tree.digest import sha256_of_blobs, sha256_of_files
from ..tree.flags import flag_findings, read_flags
from .drift import drift
from .layers import Layer, Seen, see_commit, see_files, see_index
from .lock_check import SYNC
from .proof import WorkingFiles, prove


@dataclass(frozen=True)
class Compared:
    """Result of a comparison of every layer.

    Attributes:
        findings: the differences.
        summary: a line about the scope of the comparison.
        files: the working files.
    """

    findings: list[Finding]
    summary: str
    files: Seen


def compare_layers(project: Project, declaration: Declaration, pin: Pin) -> Compared:
    """Compare every layer, byte for byte."""
    if project.prefix is None or project.object_format != pin.object_format:
        files = see_files(project, declaration, pin)
        findings = [*drift(project, declaration, [files]), *_digest_findings(project, declaration, pin, files)]
        return Compared(findings, "working files compared", files)
    flags = read_flags(project, declaration)
    files = see_files(project, declaration, pin, flags.skipped)
    index, commit = see_index(project, declaration, pin, files), see_commit(project, declaration, pin)
    commit = _repaired(commit, index)
    findings = [
        *_layer_notes(declaration, [index, commit]),
        *_ability_notes(declaration, files),
        *flag_findings(declaration, flags),
    ]
    findings.extend(drift(project, declaration, [commit, index, files]))
    findings.extend(_digest_findings(project, declaration, pin, files))
    return Compared(findings, "working files, index and last commit compared", files)


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
        fix = f"{TOOL} mirror doctor shows details"
        yield Finding("MIR015", declaration.path.encode(), files.note, fix)


def _digest_findings(project: Project, declaration: Declaration, pin: Pin, files: Seen) -> Iterator[Finding]:
    """Find files of the pinned ids with other SHA-256 ids; where ids differ, drift says more."""
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
    """Prove the pin from the working files, as git stores them; yield contradictions."""
    files = _stored(project, declaration, compared)
    text = prove(project, declaration, pin, read_series(project, declaration), files)
    if text:
        yield Finding("PIN003", declaration.path.encode(), text, f"{SYNC} {pin.reference}")


def _stored(project: Project, declaration: Declaration, compared: Compared) -> WorkingFiles:
    """Return the working files without ignored ones, with git's own blobs where the origin of a change is known.

    That is every file git converted on checkout or a sparse checkout left out; any other was found before.
    """
    top = declaration.path.encode() + b"/"

    def paths(*codes: str) -> set[bytes]:
        return {one.path.removeprefix(top) for one in compared.findings if one.code in codes}

    ignored, converted = paths("MIR010"), paths(CONVERTED, LARGE)
    rows = {row.path: row for row in compared.files.rows if row.path not in ignored}
    wanted = compared.files.wanted.by_path if compared.files.wanted else {}
    left_out = wanted.keys() - rows.keys() if paths("MIR014") else set()
    blobs = {path: wanted[path] for path in converted | left_out}
    digests = sha256_of_blobs(project.git, {row.oid for row in blobs.values()})
    own = {path: digests[row.oid] for path, row in blobs.items()}
    return WorkingFiles(tuple({**rows, **blobs}.values()), {**compared.files.digests, **own})
