"""News from the upstream: newer releases, a tag that moved or is gone, a history without the pinned commit."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .... import releases
from ....declaration.declaration import Declaration, read_declaration
from ....findings import Check, Finding, Report
from ....git.command import Git
from ....lockfile.missing_lock import missing_lock
from ....lockfile.pin import Pin, read_pin
from ....project import Project
from ....system.working_folder import working_folder
from ....tool_name import TOOL
from ...source.source import Source

_SHOWN = 10


def outdated(project: Project, place: str | None = None, *, offline: bool = False, failing: bool = False) -> Report:
    """Compare the pin with the upstream; with `failing` a newer release is an error, else a note.

    Raises:
        ToolError: nothing was mirrored yet, or the upstream cannot be reached.
    """
    declaration = read_declaration(project)
    pin = read_pin(project)
    if pin is None:
        raise missing_lock(project, declaration)
    source = Source(project, declaration, place, offline=offline)
    lock = project.lock.encode()
    with working_folder("upstream-") as folder:
        tags, history = look_upstream(source, project, declaration, pin, Path(folder))
        findings = list(moved_findings(pin, tags, lock))
        findings.extend(_newer(pin, later_releases(declaration, pin, tags, history), lock, place))
        if history is not None:
            findings.extend(unreachable_findings(history, pin, lock))
    if failing:
        findings = [finding._replace(escalated=True) for finding in findings]
    summary = f"{pin.name} beside the {len(tags)} tags of {place or declaration.url}"
    return Report.of("mirror outdated", [Check("upstream", summary)], findings)


def look_upstream(
    source: Source, project: Project, declaration: Declaration, pin: Pin, folder: Path
) -> tuple[Mapping[str, str], Git | None]:
    """Return the upstream's tags, and its history where the tags alone do not tell everything, or it is at hand."""
    if source.place.is_local:
        repository = source.fetch(folder, None, pin.object_format)
        return source.tags(repository), repository
    tags = source.remote_tags(project.git)
    if pin.tag is not None and tags.get(pin.tag.name) == pin.tag.oid and declaration.version_of(pin.tag.name):
        return tags, None
    return tags, source.fetch_commits(folder, pin.object_format)


def _later(declaration: Declaration, pin: Pin, tags: Mapping[str, str], history: Git | None) -> list[str]:
    """The versions that came after the pin; of one that has none itself, those that hold its commit."""
    own = declaration.version_of(pin.tag.name) if pin.tag else None
    if own is None:
        names = _descendants(history, pin.commit) if history is not None else ()
        return [version for name in names if (version := declaration.version_of(name)) is not None]
    versions = [version for tag in tags if (version := declaration.version_of(tag)) is not None]
    return [one for one in versions if releases.order(one) > releases.order(own)]


def _descendants(history: Git, commit: str) -> Iterator[str]:
    """The tags that hold a commit below their own."""
    form = "--format=%(objectname) %(*objectname) %(refname:strip=2)"
    listed = history.run("for-each-ref", form, f"--contains={commit}", "refs/tags", check=False)
    for line in listed.text.splitlines() if listed.status == 0 else ():
        own, peeled, name = line.split(" ", 2)
        if commit not in (own, peeled):
            yield name


def later_releases(declaration: Declaration, pin: Pin, tags: Mapping[str, str], history: Git | None) -> tuple[str, ...]:
    """Return the tags of newer releases, the oldest first; early versions only where the pinned one is early."""
    own = declaration.version_of(pin.tag.name) if pin.tag else None
    early = own is not None and releases.is_prerelease(own)
    later = _later(declaration, pin, tags, history)
    newer = sorted((one for one in later if early or not releases.is_prerelease(one)), key=releases.order)
    return tuple(map(declaration.tag_of, newer))


def _newer(pin: Pin, newer: Sequence[str], lock: bytes, place: str | None) -> Iterator[Finding]:
    if newer:
        shown = newer[-_SHOWN:]
        count = f"{len(newer)} newer releases" if len(newer) > 1 else "a newer release"
        text = f"pins {pin.name}; the upstream has {count}, up to {shown[-1]}"
        fix = f"{TOOL} {shlex.join(['mirror', 'sync', shown[-1], *(['--source', place] if place else [])])}"
        yield Finding("PIN006", lock, text, fix, details=tuple(shown))


def moved_findings(pin: Pin, tags: Mapping[str, str], lock: bytes) -> Iterator[Finding]:
    """Find a pinned tag that is gone upstream, or names something else there."""
    tag = pin.tag
    if tag is None:
        return
    if tag.name not in tags:
        text = f"the upstream has no tag {tag.name} any more; the mirror needs none"
        yield Finding("PIN009", lock, text, "ask the upstream why, or pin another release")
    elif tags[tag.name] != tag.oid:
        text = f"the tag {tag.name} was {tag.oid}, and is {tags[tag.name]} upstream"
        yield Finding("PIN007", lock, text, f"find out why, then {TOOL} mirror sync --accept-moved-tag")


def unreachable_findings(repository: Git, pin: Pin, lock: bytes) -> Iterator[Finding]:
    """Find a pinned commit that no branch or tag of the upstream holds."""
    held = repository.run("for-each-ref", "--count=1", f"--contains={pin.commit}", check=False)
    if held.status != 0 or not held.text:
        text = f"no branch or tag of the upstream holds {pin.commit} any more"
        yield Finding("PIN008", lock, text, "the mirror is whole without it; pin another release when you can")
