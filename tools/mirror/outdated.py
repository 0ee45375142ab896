"""What the upstream has by now: newer releases, a tag that moved or is gone, a history without the pinned commit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from .. import releases
from ..errors import ToolError
from ..findings import Check, Finding, Report
from ..git import Git
from ..project import Project
from .declaration import Declaration, read_declaration
from .pin import Pin, read_pin
from .source import Source

_SHOWN = 10


def outdated(project: Project, place: str | None = None, *, offline: bool = False, failing: bool = False) -> Report:
    """Compare the pin with what the upstream has; with `failing` a newer release is an error, else a note.

    Raises:
        ToolError: nothing was mirrored yet, or the upstream cannot be reached.
    """
    declaration = read_declaration(project)
    pin = read_pin(project)
    if pin is None:
        raise ToolError(f"{project.lock} is not there: nothing was mirrored yet", "python -m tools mirror sync")
    source = Source(project, declaration, place, offline=offline)
    lock = project.lock.encode()
    findings: list[Finding] = []
    if source.place.is_local:
        with tempfile.TemporaryDirectory(prefix="upstream-") as folder:
            repository = source.fetch(Path(folder), None, pin.object_format)
            tags = source.tags(repository)
            findings.extend(_unreachable(repository, pin, lock))
    else:
        tags = source.remote_tags(project.git)
    findings.extend(_newer(declaration, pin, tags, lock))
    findings.extend(_moved(pin, tags, lock))
    if failing:
        findings = [finding._replace(escalated=True) for finding in findings]
    summary = f"{pin.name} beside the {len(tags)} tags of {place or declaration.url}"
    return Report.of("mirror outdated", [Check("upstream", summary)], findings)


def _newer(declaration: Declaration, pin: Pin, tags: Mapping[str, str], lock: bytes) -> Iterator[Finding]:
    own = declaration.version_of(pin.tag.name) if pin.tag else None
    versions = [version for tag in tags if (version := declaration.version_of(tag)) is not None]
    newer = sorted(
        (one for one in versions if own is None or releases.order(one) > releases.order(own)), key=releases.order
    )
    if newer:
        shown = [declaration.tag_of(version) for version in newer[-_SHOWN:]]
        count = f"{len(newer)} newer releases" if len(newer) > 1 else "a newer release"
        text = f"pins {pin.name}; the upstream has {count}, up to {shown[-1]}"
        yield Finding("PIN006", lock, text, f"python -m tools mirror sync {shown[-1]}", details=tuple(shown))


def _moved(pin: Pin, tags: Mapping[str, str], lock: bytes) -> Iterator[Finding]:
    tag = pin.tag
    if tag is None:
        return
    if tag.name not in tags:
        text = f"the upstream has no tag {tag.name} any more; the mirror needs none"
        yield Finding("PIN009", lock, text, "ask the upstream why, or pin another release")
    elif tags[tag.name] != tag.oid:
        text = f"the tag {tag.name} was {tag.oid}, and is {tags[tag.name]} upstream"
        yield Finding("PIN007", lock, text, "find out why, then python -m tools mirror sync --accept-moved-tag")


def _unreachable(repository: Git, pin: Pin, lock: bytes) -> Iterator[Finding]:
    held = repository.run("for-each-ref", "--count=1", f"--contains={pin.commit}", check=False)
    if held.status != 0 or not held.text:
        text = f"no branch or tag of the upstream holds {pin.commit} any more"
        yield Finding("PIN008", lock, text, "the mirror is whole without it; pin another release when you can")
