"""Every layer of the mirror compared with its pin, byte for byte, and the proof on top of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...declaration.declaration import Declaration
from ...findings import Finding
from ...git.objects import Row
from ...lockfile.pin import Pin
from ...project import Project
from ...tool_name import TOOL
from ..tree.conversion import CONVERTED, LARGE
from ..tree.digest import sha256_of_blobs, sha256_of_files
from ..tree.flags import Flags, flag_findings, parse_flags, told_apart
from ..tree.staged_places import staged_place_findings
from .drift import drift
from .layers import Layer, Seen, see_files, see_index, see_last_commit, without_absent
from .lock_check import SYNC
from .lost_objects import refuse_lost_objects
from .stored_layers import StoredLayers

if TYPE_CHECKING:
    from ...series.document import PatchDocument
    from .proof import WorkingFiles


class Compared(NamedTuple):
    """Result of a comparison of every layer.

    Attributes:
        findings: the differences.
        summary: a line about the scope of the comparison.
        files: the working files.
    """

    findings: list[Finding]
    summary: str
    files: Seen


def compare_layers(
    project: Project, declaration: Declaration, pin: Pin, stored: StoredLayers | None = None
) -> Compared:
    """Compare every layer, byte for byte; `stored` is what git was asked for already."""
    if project.prefix is None or project.object_format != pin.object_format:
        files = see_files(project, declaration, pin)
        findings = [*drift(project, declaration, [files]), *_digest_findings(project, declaration, pin, files)]
        return Compared(findings, "working files compared", files)
    stored = stored or StoredLayers(project, declaration)
    try:  # git answers meanwhile
        files = see_files(project, declaration, pin, lambda: stored.ability)
    finally:
        stored.finish()
    if stored.incomplete:
        refuse_lost_objects(project, declaration)
    index = see_index(project, declaration, pin, stored, files)
    commit = see_last_commit(project, declaration, pin, stored)
    flags = Flags() if index.rows is files.rows else parse_flags(stored.listed, declaration.path.encode() + b"/")
    flags = told_apart(project, declaration, flags)
    files = without_absent(files, flags.skipped)
    commit = _repaired(commit, index)
    findings = [
        *_layer_notes(declaration, [index, commit]),
        *_ability_notes(declaration, files),
        *flag_findings(declaration, flags),
        *staged_place_findings(project, declaration, stored.places),
    ]
    findings.extend(drift(project, declaration, [commit, index, files]))
    findings.extend(_digest_findings(project, declaration, pin, files))
    return Compared(findings, "working files, index and last commit compared", files)


def _repaired(commit: Seen, index: Seen) -> Seen:
    """A drifted commit whose repair is staged is a note: the next commit mends it, and must not be refused."""
    drifted = bool(commit.differences) or commit.unlisted or commit.blocked_path is not None
    whole = not index.differences and not index.unlisted and index.blocked_path is None
    if drifted and whole and index.tree != commit.tree:
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
    rows: Sequence[Row] = files.rows
    if files.wanted is not None:
        pinned = files.wanted.by_path
        rows = [row for row in rows if pinned.get(row.path) == row]
        whole = len(rows) == len(pinned)
    else:
        whole = files.tree == pin.final_tree
    if whole and sha256_of_files(rows, files.digests) != pin.final_sha256:
        text = "every file has its pinned id, and yet one was exchanged: the SHA-256 id of the whole is another"
        yield Finding("PIN011", declaration.path.encode(), text, f"{SYNC} {pin.reference} --discard")


def proof_findings(project: Project, declaration: Declaration, pin: Pin, compared: Compared) -> Iterator[Finding]:
    """Prove the pin from the working files, as git stores them; yield contradictions."""
    from .proof import prove

    files = _stored(project, declaration, compared)
    text = prove(project, declaration, pin, _series(project, declaration), files)
    if text:
        yield Finding("PIN003", declaration.path.encode(), text, f"{SYNC} {pin.reference}")


def _series(project: Project, declaration: Declaration) -> Sequence[PatchDocument]:
    if not declaration.patches and not declaration.unlisted(project):
        return ()
    from ...series.series import read_series

    return read_series(project, declaration)


def _stored(project: Project, declaration: Declaration, compared: Compared) -> WorkingFiles:
    """Return the working files without ignored ones, with git's own blobs where the origin of a change is known.

    That is every file git converted on checkout or a sparse checkout left out; any other was found before.
    """
    from .proof import WorkingFiles

    top = declaration.path.encode() + b"/"

    def paths(*codes: str) -> set[bytes]:
        return {one.path.removeprefix(top) for one in compared.findings if one.code in codes}

    own_codes = {"MIR010", "MIR014", CONVERTED, LARGE}
    if not any(one.code in own_codes for one in compared.findings):
        return WorkingFiles(compared.files.rows, compared.files.digests, compared.files.tree)
    ignored, converted = paths("MIR010"), paths(CONVERTED, LARGE)
    rows = {row.path: row for row in compared.files.rows if row.path not in ignored}
    wanted = compared.files.wanted.by_path if compared.files.wanted else {}
    left_out = wanted.keys() - rows.keys() if paths("MIR014") else set()
    blobs = {path: wanted[path] for path in converted | left_out}
    digests = sha256_of_blobs(project.git, {row.oid for row in blobs.values()})
    own = {path: digests[row.oid] for path, row in blobs.items()}
    return WorkingFiles(tuple({**rows, **blobs}.values()), {**compared.files.digests, **own})
