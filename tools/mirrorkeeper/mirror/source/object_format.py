"""Object format of an upstream, found before anything is fetched: git fetches between equal ones only."""

from __future__ import annotations

from pathlib import Path

from ...errors import ToolError
from ...git.command import Git
from ...git.objects import FORMATS
from ...project import Project
from .bundle_folder import BundleFolder
from .place import Place

_HEAD = 512


def agreed_format(project: Project, pinned: str, place: Place, *, offline: bool = False) -> str:
    """Return the object format to mirror in: that `pinned` or of the project's repository; the upstream's without both.

    Raises:
        ToolError: the project's repository cannot hold the upstream's objects.
    """
    if project.prefix is None:
        return pinned or upstream_format(place, offline=offline) or project.object_format
    own = project.object_format
    # A place on the network is not asked twice for this: git's own message says it, too.
    theirs = upstream_format(place) if place.is_local else ""
    if own != (theirs or own):
        raise ToolError(
            f"the project's repository is of the object format {own}, the upstream of {theirs}",
            "mirror it into a repository of the upstream's object format, or into a folder without a repository",
        )
    return pinned or own


def upstream_format(place: Place, *, offline: bool = False) -> str:
    """Return the object format at a place; empty when nothing there says so, or no network may be used.

    Raises:
        ToolError: git is not installed, or the record of the bundles is damaged.
    """
    if place.is_bundles:
        recorded = BundleFolder(place.local, place.text).read()
        return _of_bundle(place.local / recorded[0].name) if recorded else ""
    if place.local.is_file():
        return _of_bundle(place.local)
    if place.is_local:
        asked = Git(place.local).run("rev-parse", "--show-object-format", check=False)
        return asked.text if asked.status == 0 else ""
    if offline:
        return ""
    listed = Git(Path.cwd()).run("ls-remote", "--", place.text, check=False, network=True)
    oid = listed.text.partition("\t")[0]
    return next((name for name, size in FORMATS.items() if listed.status == 0 and len(oid) == size), "")


def _of_bundle(path: Path) -> str:
    """Return the format in the head of a bundle; a bundle that names none is in the first format, SHA-1."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).splitlines()
    except OSError:
        return ""
    if not head or not head[0].startswith(b"# v"):
        return ""
    named = [line.partition(b"=")[2].decode() for line in head if line.startswith(b"@object-format=")]
    return named[0] if named else "sha1"
