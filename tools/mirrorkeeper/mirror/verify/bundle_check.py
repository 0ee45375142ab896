"""The folder of bundles against the lock: its record, its files, and the bundle that holds the pinned release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...findings import Finding
from ...lockfile.pin import Pin
from ...project import Project
from ..source.place import Place
from .lock_check import SYNC

if TYPE_CHECKING:
    from ..source.bundle_folder import BundleFolder
    from ..source.fetched_bundles import FetchedBundles

_RESTORE = "restore the folder from version control"


def bundle_findings(
    project: Project,
    declaration: Declaration,
    pin: Pin,
    *,
    opened: bool = False,
    fetched: FetchedBundles | None = None,
) -> Iterator[Finding]:
    """Find problems of the bundles; with `opened` the one that holds the pinned release is read as well."""
    place = Place.of(project, declaration)
    if not place.is_bundles:
        if pin.bundles is not None and pin.url == declaration.url:
            yield Finding("PIN013", declaration.url.encode(), "is not the folder of bundles it was", _RESTORE)
        return
    from ..source.bundle_folder import BundleFolder

    folder = BundleFolder(place.local, place.text)
    found = [
        Finding(
            "PIN005" if problem.missing else "PIN004",
            f"{declaration.url}/{problem.name}".encode(),
            problem.text,
            _RESTORE,
        )
        for problem in folder.problems()
    ]
    found.extend(_record_findings(project, declaration, pin, folder))
    yield from found
    if opened and not found and folder.read():
        yield from _content_findings(project, declaration, pin, fetched)


def _record_findings(project: Project, declaration: Declaration, pin: Pin, folder: BundleFolder) -> Iterator[Finding]:
    if pin.url != declaration.url:
        return
    if pin.bundles is None:
        if folder.read():
            text = "does not name the bundles it was made with"
            if pin.fetched_from:  # a lock of this schema names them
                yield Finding("PIN013", project.lock.encode(), f"{text}, as its schema does", SYNC)
            else:
                yield Finding("PIN014", project.lock.encode(), f"{text} yet", SYNC)
        return
    from ..source.bundle_folder import RECORD

    held = folder.first(pin.bundles.lines)
    if held != pin.bundles:
        text = f"does not begin with the {pin.bundles.lines} lines the mirror was made with"
        yield Finding("PIN013", f"{declaration.url}/{RECORD}".encode(), text, _RESTORE)
    elif pin.tag and pin.tag.name in [one.tag for one in folder.read()[pin.bundles.lines :]]:
        text = f"is bound to the bundles before that of {pin.name} alone"
        yield Finding("PIN013", project.lock.encode(), text, SYNC)


def _content_findings(
    project: Project, declaration: Declaration, pin: Pin, fetched: FetchedBundles | None
) -> Iterator[Finding]:
    """Fetch the bundles and compare the pinned release with the one they hold."""
    from ...git.objects import is_oid
    from ...system.working_folder import working_folder
    from ..source.source import Source

    source, path = Source(project, declaration, fetched=fetched), declaration.url.encode()
    with working_folder("bundles-") as folder:
        try:
            repository = source.fetch(Path(folder), pin.reference, pin.object_format)
            target = source.find(repository, pin.reference)
        except ToolError as error:
            yield Finding("PIN015", path, f"does not give {pin.name}: {error.text}", _RESTORE)
            return
    if (target.commit, target.root_tree, target.tag) != (pin.commit, pin.root_tree, pin.tag):
        held = target.tag.oid if target.tag and not is_oid(pin.reference) else target.commit
        yield Finding("PIN015", path, f"holds another {pin.name} than the pinned one: {held}", _RESTORE)
