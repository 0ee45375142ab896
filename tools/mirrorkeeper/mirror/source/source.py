"""Source of an upstream's objects, and the bare repository they are fetched into."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ... import releases
from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...git.command import Git, Output, create_bare
from ...git.named_objects import read_named
from ...git.objects import header_value, is_oid
from ...lockfile.pin import Pin, Tag
from ...project import Project
from ...tool_name import TOOL
from .bundle_folder import BundleFolder
from .cache import FetchCache, cache_folder
from .fetched_bundles import FetchedBundles
from .place import Place

_PACKED = ("-c", "fetch.unpackLimit=1")
_ADVICE = f"`{TOOL} upstream publish DIR` makes a release, --source PATH takes another place"


@dataclass(frozen=True)
class Target:
    """An upstream commit that was found: its tag (None for a bare id), ids, and the raw objects."""

    tag: Tag | None
    commit: str
    root_tree: str
    commit_object: bytes
    tag_object: bytes

    @property
    def name(self) -> str:
        """Name of the release in messages."""
        return self.tag.name if self.tag else self.commit[:12]


class Source:
    """One place to fetch from: the declared url, or the one `--source` names."""

    def __init__(
        self,
        project: Project,
        declaration: Declaration,
        override: str | None = None,
        *,
        offline: bool = False,
        fetched: FetchedBundles | None = None,
    ) -> None:
        """Decide the kind of place; nothing is fetched yet.

        With `offline` no network may be used; `fetched` holds bundles that the command has fetched already.
        """
        self._offline = offline
        self._fetched_bundles = fetched
        self._override = override
        self._declaration = declaration
        self.place = Place.of(project, declaration, override)
        self._local = self.place.local
        self._shown = self.place.text

    @property
    def subfolder(self) -> str:
        """The upstream folder that is mirrored alone; empty for the whole."""
        return self._declaration.subfolder

    @property
    def remembered(self) -> str | None:
        """Spelling that names this place again later, from any folder; None for the declared one."""
        if self._override is None:
            return None
        return str(self._local) if self.place.is_local else self._override

    def fetch(self, folder: Path, wanted: str | None, object_format: str = "sha1") -> Git:
        """Fetch into a new bare repository at `folder`, every object checked by git, and return git on it.

        With `wanted` a single release may be all that is fetched; without, everything there is. Bundles that the
        command has fetched already stay in the folder they are in.

        Raises:
            ToolError: nothing is there, or it is damaged.
        """
        if self.place.is_bundles:
            bundles = BundleFolder(self._local, self._shown)
            if self._fetched_bundles is None:
                return self._fetch_bundles(bundles, object_format, folder)
            fetch = partial(self._fetch_bundles, bundles, object_format)
            return self._fetched_bundles.repository(bundles, object_format, fetch)
        git = create_bare(folder, object_format)
        local = self.place.is_local
        if self._offline and not local:
            raise ToolError(f"{self._shown} is not on this machine", "leave --offline out, or name a clone by --source")
        # One release without its history is a small part of most upstreams; a bundle can only be read whole.
        if not wanted or self._local.is_file() or not self._fetch_one(git, wanted, object_format):
            self._fetch_all(git, object_format)
        return git

    def _fetch_bundles(self, bundles: BundleFolder, object_format: str, folder: Path) -> Git:
        recorded = bundles.checked()
        if not recorded:
            state = "holds no release" if self.place.is_local else "is not there"
            raise ToolError(f"{self._shown} {state}", _ADVICE)
        git = create_bare(folder, object_format)
        for bundle in recorded:
            output = self._fetched(git, str(bundles.path / bundle.name), prune=False)
            if output.status != 0:
                raise ToolError(f"{self._shown} cannot be fetched: {output.complaint}", "nothing was changed")
        return git

    def _fetch_one(self, git: Git, wanted: str, object_format: str) -> bool:
        address = self._local.as_uri() if self.place.is_local else self._shown
        refspec = f"+{wanted}:refs/pinned/{wanted}" if is_oid(wanted) else f"+refs/tags/{wanted}:refs/tags/{wanted}"
        command = ("fetch", "--quiet", "--no-tags", "--depth=1", "--no-recurse-submodules", "--", address, refspec)

        def fetch(into: Git) -> bool:
            if self._has(into, address, wanted):
                return True
            return into.run(*_PACKED, *command, check=False, network=not self.place.is_local).status == 0

        cache = self._cache(address, object_format, alone=True)
        return (cache is not None and cache.give(git, fetch, wanted)) or fetch(git)

    def _has(self, git: Git, address: str, wanted: str) -> bool:
        """Return whether the objects fetched before are still the upstream's; a commit's id never names another one."""
        name = f"refs/pinned/{wanted}" if is_oid(wanted) else f"refs/tags/{wanted}"
        known = git.run("rev-parse", "--verify", "--quiet", "--end-of-options", name, check=False)
        if known.status != 0 or is_oid(wanted):
            return known.status == 0
        now = git.run("ls-remote", "--tags", "--", address, name, check=False, network=not self.place.is_local)
        return now.status == 0 and f"{known.text}\t{name}" in now.text.splitlines()

    def _fetch_all(self, git: Git, object_format: str) -> None:
        address = str(self._local) if self.place.is_local else self._shown
        cache = self._cache(address, object_format, alone=False) if not self._local.is_file() else None
        if cache is not None and cache.give(git, lambda into: self._fetched(into, address).status == 0, None):
            return
        output = self._fetched(git, address)
        if output.status != 0:
            raise ToolError(f"{self._shown} cannot be fetched: {output.complaint}", "nothing was changed")

    def _fetched(self, git: Git, address: str, *, prune: bool = True) -> Output:
        refspecs = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
        options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--update-head-ok", "--update-shallow")
        aside = ("--prune",) if prune else ()
        network = not self.place.is_local
        return git.run(*_PACKED, "fetch", *options, *aside, "--", address, *refspecs, check=False, network=network)

    @staticmethod
    def _cache(address: str, object_format: str, *, alone: bool) -> FetchCache | None:
        root = cache_folder(os.environ)
        return FetchCache(root, address, alone=alone, object_format=object_format) if root else None

    def find(self, git: Git, wanted: str) -> Target:
        """Resolve a tag or a full commit id in the fetched repository.

        Raises:
            ToolError: there is no such tag or commit; the message names the newest releases there are.
        """
        # Names alone: `v1.0.0~1` is an expression, and what it leads to is not what the tag names.
        known = git.run("show-ref", "--verify", "--hash", "--", f"refs/tags/{wanted}", check=False)
        if known.status == 0:
            oid = known.text
        elif is_oid(wanted):
            oid = wanted
        else:
            listed = ", ".join(self.releases(git)[-5:]) or "none"
            raise ToolError(
                f"{self._shown} has no tag {wanted!r}", f"newest releases: {listed}; or give a full commit id"
            )
        named, held = read_named(git, [oid, f"{oid}^{{commit}}"])
        if named is None or held is None:
            raise ToolError(f"{self._shown} has no commit {wanted}", "give a tag or the full id of a commit")
        commit, _, body = held
        annotated = known.status == 0 and named[1] == "tag"
        tag = Tag(wanted, "annotated" if annotated else "lightweight", oid) if known.status == 0 else None
        return Target(tag, commit, header_value(body, "tree"), body, named[2] if annotated else b"")

    @staticmethod
    def tags(git: Git) -> dict[str, str]:
        """The tags of the fetched repository, each with the id it points to itself."""
        listed = git.run("for-each-ref", "--format=%(objectname) %(refname:strip=2)", "refs/tags").text
        return {name: oid for oid, _, name in (line.partition(" ") for line in listed.splitlines())}

    def remote_tags(self, git: Git) -> dict[str, str]:
        """The tags of a place on the network, asked for without fetching anything.

        Raises:
            ToolError: it cannot be reached, or no network may be used.
        """
        if self._offline:
            raise ToolError(f"{self._shown} is not on this machine", "leave --offline out, or name a clone by --source")
        output = git.run("ls-remote", "--tags", "--refs", "--", self._shown, check=False, network=True)
        if output.status != 0:
            raise ToolError(f"{self._shown} cannot be asked: {output.complaint}")
        pairs = (line.partition("\t") for line in output.text.splitlines())
        return {name.removeprefix("refs/tags/"): oid for oid, _, name in pairs}

    def tag_now(self, fetched: Git, name: str) -> str | None:
        """Return the id a tag points to itself by now; empty when it is gone, None when it cannot be known."""
        if self.place.is_bundles:
            return self.tags(fetched).get(name, "")
        address, network = (str(self._local), False) if self.place.is_local else (self._shown, True)
        output = fetched.run("ls-remote", "--tags", "--", address, f"refs/tags/{name}", check=False, network=network)
        return output.text.partition("\t")[0] if output.status == 0 else None

    def fetch_commits(self, folder: Path, object_format: str) -> Git:
        """Fetch all commits and tags, without their files where the upstream allows that, into a new bare repository.

        Raises:
            ToolError: they cannot be fetched.
        """
        git = create_bare(folder, object_format)
        refspecs = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
        command = ("fetch", "--quiet", "--no-tags", "--filter=tree:0", "--update-head-ok", "--", self._shown, *refspecs)
        output = git.run(*_PACKED, *command, check=False, network=True)
        if output.status != 0:
            raise ToolError(f"{self._shown} cannot be fetched: {output.complaint}", "nothing was changed")
        return git

    def history(self, fetched: Git) -> Git:
        """Git on the repository that knows most of the history: a clone on this machine, else the fetched one."""
        return Git(self._local) if self._local.is_dir() and not self.place.is_bundles else fetched

    def releases(self, git: Git) -> list[str]:
        """The tags of releases in the fetched repository, oldest first."""
        names = git.run("for-each-ref", "--format=%(refname:strip=2)", "refs/tags").text.splitlines()
        versions = {version: name for name in names if (version := self._declaration.version_of(name))}
        return [versions[version] for version in sorted(versions, key=releases.order)]


def is_rewritten(git: Git, old: Pin, target: Target) -> bool:
    """Return whether a history that holds both commits shows that neither descends from the other."""
    if old.commit == target.commit or git.run("rev-parse", "--is-shallow-repository", check=False).text != "false":
        return False
    pairs = ((old.commit, target.commit), (target.commit, old.commit))
    # Status 1 is a clear no; anything else means that git cannot tell, or does not have a commit.
    return all(git.run("merge-base", "--is-ancestor", *pair, check=False).status == 1 for pair in pairs)
