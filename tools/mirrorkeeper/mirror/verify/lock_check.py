"""The lock against itself, against `upstream.toml` and against the patch files."""

from __future__ import annotations

from collections.abc import Iterator

from ...declaration.declaration import Declaration
from ...declaration.policy import Accepted, Policy
from ...errors import ToolError
from ...findings import Finding
from ...git.objects import LINK
from ...lockfile.lock_self_check import contradictions
from ...lockfile.pin import Pin
from ...project import Project
from ...system.blocked_path import blocked_file
from ...system.digests import sha256_of
from ...tool_name import TOOL
from .selection_check import selection_findings

SYNC = f"{TOOL} mirror sync"


def lock_findings(project: Project, declaration: Declaration, pin: Pin) -> Iterator[Finding]:
    """Find contradictions in the lock, and between lock and declaration."""
    lock = project.lock.encode()
    blocked = blocked_file(project.root, project.lock)
    if blocked is not None and not blocked.above:
        yield Finding("PIN001", lock, blocked.text, SYNC)
    if pin.tag is not None and declaration.version_of(pin.tag.name) is None:
        text = f"pins {pin.tag.name}, which is no release of {declaration.track!r}: newer ones are not looked for"
        yield Finding("PIN017", lock, text, f"pin a release, or change `track` in {project.declaration}")
    for text in contradictions(pin):
        yield Finding("PIN001", lock, text, SYNC)
    if pin.url != declaration.url:
        text = f"was made from {pin.url!r}, {project.declaration} says {declaration.url!r}"
        yield Finding("PIN002", lock, text, SYNC)
    yield from selection_findings(project, declaration, pin)


def acceptance_findings(project: Project, declaration: Declaration, pin: Pin) -> Iterator[Finding]:
    """Find accepted paths that are gone: a later release could have them again without a review."""
    accepted = declaration.accepted
    if not accepted.links and not accepted.names:
        return
    from ..source.pinned_rows import pinned_rows

    wanted = pinned_rows(project, declaration, pin)
    if wanted is None:
        return
    links = [path for path, row in wanted.by_path.items() if row.mode == LINK]
    stale = [
        *(f"the link {one!r}" for one in accepted.links if not any(map(Accepted(links=(one,)).link, links))),
        *(f"the name {one!r}" for one in accepted.names if not any(map(Accepted(names=(one,)).name, wanted.by_path))),
    ]
    for what in stale:
        text = f"accepts {what}, and {pin.name} has none"
        yield Finding("MIR008", project.declaration.encode(), text, "take it out, or synchronize again")


def signature_findings(
    project: Project, declaration: Declaration, pin: Pin, *, again: bool = False
) -> Iterator[Finding]:
    """Find missing signatures; with `again` each signature is checked once more, offline."""
    if declaration.signatures.policy is Policy.OFF:
        return
    from ..source.signature import check_signature, signed_object

    lock, objects = project.lock.encode(), (pin.tag_object, pin.commit_object)
    if pin.signature is None:
        if signed_object(*objects) is not None:
            yield Finding("PIN010", lock, f"does not record whose signature {pin.name} has", SYNC)
        elif declaration.signatures.policy is Policy.REQUIRED:
            yield Finding("PIN010", lock, f"{pin.name} is not signed, and has to be", "pin a signed release")
    elif again:
        try:
            found = check_signature(project, declaration, pin.name, objects, pin.object_format)
        except ToolError as error:
            yield Finding("PIN010", lock, error.text, error.advice)
        else:
            if found != pin.signature:
                yield Finding("PIN010", lock, f"{pin.name} is signed by {found and found.signer} by now", SYNC)


def patch_findings(project: Project, declaration: Declaration, pin: Pin) -> Iterator[Finding]:
    """Find patches that are not those the mirror was made with."""
    applied = [patch.name for patch in pin.patches]
    if applied != list(declaration.patches):
        listed = ", ".join(declaration.patches) or "none"
        made = f"with {', '.join(applied)}" if applied else "without patches"
        text = f"was made {made}; {project.declaration} lists {listed}"
        yield Finding("PIN002", project.lock.encode(), text, _settling(project, declaration))
    for name in declaration.unlisted(project):
        path = f"{declaration.patch_folder}/{name}".encode()
        fix = f"add it to [patches] order in {project.declaration}, or delete it"
        yield Finding("PAT002", path, "is not listed", fix)
    for patch in pin.patches:
        if patch.name not in declaration.patches:
            continue
        shown = f"{declaration.patch_folder}/{patch.name}"
        blocked = blocked_file(project.root, shown)
        if blocked is not None:
            yield Finding("PAT002", blocked.path.encode(), blocked.text, "put the file itself in its place")
            continue
        try:
            content = (project.root / shown).read_bytes()
        except OSError as error:
            yield Finding("PAT002", shown.encode(), f"cannot be read: {error.strerror}", "restore it")
            continue
        if sha256_of(content) != patch.sha256:
            yield Finding(
                "PAT001", shown.encode(), "is not the patch the mirror was made with", _settling(project, declaration)
            )
    for name in declaration.patches:
        if name not in applied and not (project.root / declaration.patch_folder / name).is_file():
            shown = f"{declaration.patch_folder}/{name}"
            yield Finding("PAT002", shown.encode(), "is listed, and not there", "restore it, or take it off the list")


def _settling(project: Project, declaration: Declaration) -> str:
    """The command that brings mirror and patches together; a paused synchronization refuses any other than its own.

    One that was cut off while it made patches anew is paused as well.
    """
    from ...system.files import DiskFiles
    from ..workspace.edit_workspace import EditWorkspace

    workspace = EditWorkspace(project, declaration, DiskFiles())
    return f"{SYNC} --continue, or give it up: {SYNC} --abort" if workspace.record.exists() else SYNC
