"""`mirror verify`: the mirrored tree against its lock, the lock against itself and against `upstream.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...declaration.declaration import Declaration, read_declaration
from ...declaration.policy import Policy
from ...project import Project

if TYPE_CHECKING:
    from ...findings import Finding, Report
    from ...lockfile.pin import Pin
    from ..source.fetched_bundles import FetchedBundles
    from .quick_check import Looks
    from .stored_layers import StoredLayers


class VerifyOptions(NamedTuple):
    """Options of a verification.

    Attributes:
        prove: rebuild the upstream's root tree from the files.
        strict: notes count as errors.
        hashed: read and hash every file, whatever git's records say of it.
        revision: judge this commit of the project alone, by the lock it holds; None judges the working files.
        ignored: files that git ignores are notes (`report`), errors (`fail`), or left out (`ignore`).
    """

    prove: bool = False
    strict: bool = False
    hashed: bool = False
    revision: str | None = None
    ignored: str = "report"


def verify(project: Project, options: VerifyOptions, fetched: FetchedBundles | None = None) -> Report:
    """Verify the mirror of a project and report every difference; `fetched` holds bundles fetched before.

    Raises:
        ToolError: there is no lock yet, or something cannot be read.
    """
    if options.revision is not None:
        return _of_revision(project, options, options.revision)
    declaration = read_declaration(project)
    looks, stored = None, None
    if not options.hashed and not options.prove:
        from .quick_check import Looks

        looks = Looks(project, declaration)
    else:
        project.ask()
    try:
        # Git looks at the files meanwhile: what is imported from here on takes longer than that.
        pin = _pinned(project, declaration)
        if looks is not None:
            looks.ask_for_objects()
        elif project.prefix is not None and project.object_format == pin.object_format:
            from .stored_layers import StoredLayers

            stored = StoredLayers(project, declaration)
        findings = _findings_beside(project, declaration, pin, options, looks or stored, fetched=fetched)
    except BaseException:
        for asked in (looks, stored):
            if asked is not None:
                asked.finish()
        project.finish_asking()
        raise
    from ...findings import Check, Report, Severity

    proven = False
    if looks is not None and looks.unchanged(pin):
        layers = "last commit, index and working files are unchanged by git's records"
    else:
        from .full_check import compare_layers, proof_findings

        compared = compare_layers(project, declaration, pin, stored)
        findings.extend(compared.findings)
        layers = compared.summary
        if options.prove and not any(finding.severity is Severity.ERROR for finding in findings):
            refuted = list(proof_findings(project, declaration, pin, compared))
            findings.extend(refuted)
            proven = not refuted
    findings = _judged(findings, options)
    aside = f", {_proof(pin, declaration)}" if proven else ""
    summary = f"{declaration.path} at {pin.name}, tree {pin.final_tree[:12]}: {layers}{aside}"
    return Report.of("mirror verify", [Check("mirror check", summary)], findings)


def _of_revision(project: Project, options: VerifyOptions, revision: str) -> Report:
    from .revision import no_commit_alone, verify_revision

    if options.prove or options.hashed:
        raise no_commit_alone("--prove" if options.prove else "--bytes", revision)
    return verify_revision(project, revision)


def _pinned(project: Project, declaration: Declaration) -> Pin:
    from ...lockfile.pin import read_pin

    pin = read_pin(project)
    if pin is None:
        from ...lockfile.missing_lock import missing_lock

        raise missing_lock(project, declaration)
    return pin


def _findings_beside(
    project: Project,
    declaration: Declaration,
    pin: Pin,
    options: VerifyOptions,
    asked: Looks | StoredLayers | None,
    *,
    fetched: FetchedBundles | None,
) -> list[Finding]:
    """Find problems of everything but the mirrored files themselves; what git already told is not asked again."""
    from ..tree.attributes.checkout import checkout_findings
    from .bundle_check import bundle_findings
    from .lock_check import acceptance_findings, lock_findings, patch_findings, signature_findings
    from .unmerged import unmerged_findings

    return [
        *lock_findings(project, declaration, pin),
        *acceptance_findings(project, declaration, pin),
        *patch_findings(project, declaration, pin),
        *bundle_findings(project, declaration, pin, opened=options.prove, fetched=fetched),
        *signature_findings(project, declaration, pin, again=options.prove),
        *checkout_findings(
            project,
            declaration,
            staged=asked.staged_attributes if asked is not None else None,
            personal=asked.personal_attributes if asked is not None else None,
        ),
        *unmerged_findings(project, declaration, _unmerged(project, declaration, asked)),
    ]


def _unmerged(project: Project, declaration: Declaration, asked: Looks | StoredLayers | None) -> bytes:
    from .unmerged import start_unmerged

    if asked is not None:
        return asked.unmerged
    return start_unmerged(project, declaration).finish().stdout if project.prefix is not None else b""


def _proof(pin: Pin, declaration: Declaration) -> str:
    """Describe a passed proof: without a signature that was checked it says nothing about the commit's author.

    The policy "off" checks none, whatever the lock records.
    """
    if pin.signature is None or declaration.signatures.policy is Policy.OFF:
        return "consistent with the commit object"
    return f"proven from the commit object that {pin.signature.signer} signed"


def _judged(findings: Sequence[Finding], options: VerifyOptions) -> list[Finding]:
    kept = [one for one in findings if one.code != "MIR010" or options.ignored != "ignore"]
    fails = "MIR010" if options.ignored == "fail" else ""
    return [one._replace(escalated=True) if options.strict or one.code == fails else one for one in kept]
