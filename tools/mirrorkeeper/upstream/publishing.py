"""`upstream publish`: the commits of a working repository as the next release, in one new bundle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .. import releases
from ..declaration.declaration import read_declaration
from ..errors import ToolError
from ..git.command import Git, create_bare
from ..mirror.source.bundle_folder import Bundle, file_hash
from ..mirror.workspace.transaction import Transaction
from ..project import Project
from ..system.files import Files, replace_file
from ..system.working_folder import working_folder
from ..tool_name import TOOL
from .declared_version import check_declared_version
from .published import PublishedRelease, bundle_folder, fetch_releases
from .working import WorkingRepository


class Publication:
    """One run of `upstream publish`, with its collaborators."""

    def __init__(self, project: Project, files: Files, say: Callable[[str], None]) -> None:
        """Take the project, the disk, and where progress lines go.

        Raises:
            ToolError: the project's upstream is not a folder of bundles.
        """
        self._project = project
        self._files = files
        self._say = say
        self._declaration = read_declaration(project)
        self._bundles = bundle_folder(project, self._declaration)

    def run(self, folder: Path, version: str | None = None) -> str:
        """Publish the commits on the release branch of `folder` and return the new tag.

        No older bundle is touched; the new one is fetched into an empty repository before it is recorded.

        Raises:
            ToolError: there is nothing to publish, or something is in the way; nothing was published.
            Paused: rebasing on the newest release needs a person.
        """
        declaration, bundles = self._declaration, self._bundles
        with Transaction(self._project, declaration, self._files) as transaction:
            if transaction.pending() is not None:
                raise ToolError("a synchronization was interrupted", f"run `{TOOL} mirror verify` first")
            working = WorkingRepository(folder, declaration.branch)
            working.check_clean()
            published = fetch_releases(working.git, bundles, declaration)
            newest = published[-1] if published else None
            _check_new(working, newest)
            wanted = next_version(newest, version)
            check_declared_version(working.git, wanted)
            if newest is not None and working.rebase(newest.commit, newest.tag):
                self._say(f"rebased {declaration.branch} on {newest.tag}")
                _check_new(working, newest)
            tag = declaration.tag_of(wanted)
            working.tag(tag, f"Release {tag}")
            name = self._bundle(working.git, tag, newest, transaction.folder)
            self._say(f"published {tag} as {bundles.shown}/{name}")
        return tag

    def _bundle(self, git: Git, tag: str, newest: PublishedRelease | None, transaction: Path) -> str:
        bundles = self._bundles
        name = f"{tag}.bundle"
        target = bundles.path / name
        if target.exists():
            raise ToolError(f"{bundles.shown}/{name} is already there", "a published bundle never changes")
        made = transaction / name
        since = [f"^refs/tags/{newest.tag}"] if newest else []
        git.run("bundle", "create", "--quiet", str(made), f"refs/tags/{tag}", *since)
        commit = git.run("rev-parse", f"refs/tags/{tag}^{{commit}}").text
        self._prove(made, tag, commit)
        recorded = bundles.read()
        self._files.make_folder(bundles.path)
        self._files.flush(transaction)
        self._files.rename(made, target)
        record = bundles.render((*recorded, Bundle(name, file_hash(target))))
        replace_file(self._files, bundles.record, record)
        return name

    def _prove(self, made: Path, tag: str, commit: str) -> None:
        """Fetch everything, the new bundle last, into an empty repository, every object checked."""
        with working_folder("publish-") as name:
            git = create_bare(Path(name))
            fetch_releases(git, self._bundles, self._declaration)
            git.run("fetch", "--quiet", "--no-tags", str(made), f"refs/tags/{tag}:refs/tags/{tag}")
            found = git.run("rev-parse", f"refs/tags/{tag}^{{commit}}").text
        if found != commit:
            raise ToolError(f"the bundle of {tag} brings {found}, not {commit}", "nothing was published")


def _check_new(working: WorkingRepository, newest: PublishedRelease | None) -> None:
    if newest is not None and working.head() == newest.commit:
        folder = working.git.folder
        raise ToolError(f"{folder} has nothing that {newest.tag} does not have", "commit something first")


def next_version(newest: PublishedRelease | None, version: str | None) -> str:
    """Choose the version: the one asked for when it is newer than the newest release, else the next patch number.

    Raises:
        ToolError: the version is no `x.y.z`, is not newer, or has to be given and was not.
    """
    if version is None:
        following = releases.next_patch(newest.version) if newest else None
        if following is None:
            raise ToolError("the first release needs its version", "give --version 0.1.0")
        return following
    if not releases.is_plain(version):
        raise ToolError(f"{version!r} is not a version", "give three numbers, as in 0.1.0")
    if newest is not None and releases.order(version) <= releases.order(newest.version):
        raise ToolError(f"{version} is not newer than {newest.version}", "give a higher version, or none")
    return version
