"""The folder of bundles of a project, and the releases in it fetched into a repository."""

from __future__ import annotations

from dataclasses import dataclass

from .. import releases
from ..declaration.declaration import Declaration
from ..errors import ToolError
from ..git.command import Git
from ..mirror.source.bundle_folder import Bundle, BundleFolder
from ..mirror.source.place import Place
from ..project import Project


@dataclass(frozen=True)
class PublishedRelease:
    """A published release: its tag, its version, the commit it names."""

    tag: str
    version: str
    commit: str


def bundle_folder(project: Project, declaration: Declaration) -> BundleFolder:
    """Return the project's folder of bundles.

    Raises:
        ToolError: the upstream is a repository somewhere, which is worked on there.
    """
    place = Place.of(project, declaration)
    if not place.is_bundles:
        raise ToolError(
            f"the upstream is {declaration.url!r}, not a folder of bundles",
            "clone it and publish there with git itself",
        )
    return BundleFolder(place.local, place.text)


def fetch_releases(git: Git, folder: BundleFolder, declaration: Declaration) -> tuple[PublishedRelease, ...]:
    """Fetch all recorded bundles into a repository, in order, and return the releases they bring, oldest first.

    Raises:
        ToolError: a bundle is damaged, or the repository holds another tag of the same name.
    """
    found = []
    for bundle in folder.checked():
        path = str(folder.path / bundle.name)
        refspec = f"refs/tags/{bundle.tag}:refs/tags/{bundle.tag}"
        output = git.run("fetch", "--quiet", "--no-tags", "--", path, refspec, check=False)
        if output.status != 0:
            raise ToolError(
                f"{folder.shown}/{bundle.name} cannot be fetched into {git.folder}: {output.complaint}",
                f"a tag {bundle.tag} of your own has to go: git tag -d {bundle.tag}",
            )
        found.append(_release(git, bundle, declaration))
    return tuple(sorted(found, key=lambda release: releases.order(release.version)))


def _release(git: Git, bundle: Bundle, declaration: Declaration) -> PublishedRelease:
    version = declaration.version_of(bundle.tag)
    if version is None:
        raise ToolError(f"the bundle {bundle.name} is not named after a release ({declaration.track})")
    return PublishedRelease(bundle.tag, version, git.run("rev-parse", f"refs/tags/{bundle.tag}^{{commit}}").text)
