"""Releases of the upstream: their names, their order, and the places they are fetched from.

An upstream is a folder of bundles (one immutable file a release, with a record `SHA256SUMS` in the order they are
fetched in), or anything git can fetch from.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .declaration import Declaration
from .errors import GitError, ToolError
from .findings import Finding
from .lock import Lock, sha256_of
from .repository import Repository

RECORD = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64})  ([^/\x00-\x1f]+\.bundle)")
_VERSION = re.compile(r"(\d+(?:\.\d+)*)(.*)", re.DOTALL)
_PRE_WORD = re.compile(r"[._-]?(?:(?:alpha|beta|rc|pre|preview|dev)(?![a-z])|[abc](?=[.-]?\d))", re.IGNORECASE)
_POST_WORD = re.compile(r"[._-]?(?:post|rev|r)(?![a-z])", re.IGNORECASE)
_REMOTE = re.compile(r"[\w+.-]+://|[^/]+:")
_PARTS = re.compile(r"\d+|[a-z]+")

Key = tuple[tuple[int, ...], int, tuple[tuple[int, int, str], ...]]


def is_prerelease(version: str) -> bool:
    """Return whether PEP 440, Go or semver take a version for one before its release (`2.0rc1`, `2.0.0-beta.2`)."""
    return _key(version)[1] == 0


def newest_first(versions: Iterable[str]) -> list[str]:
    """Return the versions in order, a pre-release before its release; names without a number are left out."""
    return sorted((version for version in versions if _VERSION.match(version)), key=_key, reverse=True)


def is_newer(version: str, other: str) -> bool:
    """Return whether a version is newer than another."""
    return _key(version) > _key(other)


def _key(version: str) -> Key:
    match = _VERSION.match(version)
    if match is None:
        return ((), 0, ())
    numbers = [int(part) for part in match[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    rest = match[2].partition("+")[0].lower()
    rank = 1 if not rest else 2
    if not _POST_WORD.match(rest) and (rest.startswith("-") or _PRE_WORD.match(rest)):
        rank = 0
    words = _PARTS.findall(rest)
    parts = tuple((0, int(word), "") if word.isdigit() else (-1 if word == "dev" else 1, 0, word) for word in words)
    return (tuple(numbers), rank, parts)


@dataclass(frozen=True)
class UpstreamRelease:
    """A tag of the upstream: its name and version, the id it points to itself, its commit."""

    tag: str
    version: str
    oid: str
    commit: str


def releases_in(repository: Repository, declaration: Declaration) -> list[UpstreamRelease]:
    """Return the releases whose tags a repository holds, newest first, pre-releases among them."""
    form = "--format=%(refname:lstrip=2)%00%(objectname)%00%(*objectname)"
    listed = repository.run("for-each-ref", form, "refs/tags").text.splitlines()
    by_version = {}
    for line in listed:
        tag, oid, peeled = line.split("\0")
        version = declaration.version_of(tag)
        if version is not None:
            by_version[version] = UpstreamRelease(tag, version, oid, peeled or oid)
    return [by_version[version] for version in newest_first(by_version)]


def moved_tag(declaration: Declaration, lock: Lock, release: UpstreamRelease, place: str) -> Iterator[Finding]:
    """Yield a finding where the tag of the pinned release is another than when it was pinned."""
    shown = str(declaration.lock_file.relative_to(declaration.root))
    hint = "ask the upstream why; `mirror sync --accept-moved-tag` takes it"
    if release.commit != lock.commit:
        text = f"{release.tag} is commit {release.commit} at {place}, and {lock.commit} is pinned"
        yield Finding("PIN007", shown, text, hint)
    elif release.oid != lock.tag.oid:
        text = f"the tag {release.tag} was made anew at {place}, for the same commit: {release.oid}, not {lock.tag.oid}"
        yield Finding("PIN008", shown, text, hint)


def latest(releases: Iterable[UpstreamRelease]) -> UpstreamRelease | None:
    """Return the newest release; a pre-release only when there is nothing else."""
    ordered = list(releases)
    full = [release for release in ordered if not is_prerelease(release.version)]
    return next(iter(full or ordered), None)


@dataclass(frozen=True)
class Bundle:
    """One recorded bundle: its file name, and the SHA-256 of the file."""

    name: str
    sha256: str

    @property
    def tag(self) -> str:
        """The release it brings."""
        return self.name.removesuffix(".bundle")


@dataclass(frozen=True)
class BundleFolder:
    """A folder of bundles; `shown` is how messages name it."""

    path: Path
    shown: str

    def bundles(self) -> tuple[Bundle, ...]:
        """Return the recorded bundles in order; none when nothing was published yet.

        Raises ToolError: the record cannot be read.
        """
        record = self.path / RECORD
        try:
            lines = record.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            raise ToolError(f"{self.shown}/{RECORD} cannot be read: {error}", "restore the folder with git") from error
        rows = [_LINE.fullmatch(line) for line in lines]
        for number, row in enumerate(rows, 1):
            if row is None:
                raise ToolError(f"{self.shown}/{RECORD}, line {number}: not a hash and the name of a bundle")
        return tuple(Bundle(row[2], row[1]) for row in rows if row)

    def problems(self) -> list[tuple[str, str]]:
        """Return the problems with the files: pairs of a file name and a text."""
        recorded = self.bundles()
        names = [bundle.name for bundle in recorded]
        problems = [(name, "is recorded twice") for name in sorted(set(names)) if names.count(name) > 1]
        for bundle in recorded:
            path = self.path / bundle.name
            if path.is_symlink() or not path.is_file():
                problems.append((bundle.name, "is recorded, and no such file is there"))
            elif sha256_of(path) != bundle.sha256:
                problems.append((bundle.name, "is not the file that was recorded: a published bundle never changes"))
        unknown = sorted(path.name for path in self.path.glob("*.bundle") if path.name not in names)
        return problems + [(name, "is not recorded: delete it, or restore the record") for name in unknown]


@dataclass(frozen=True)
class Source:
    """The place releases come from: a folder of bundles, or anything git can fetch from."""

    declaration: Declaration
    place: str

    @classmethod
    def of(cls, declaration: Declaration, other: str | None = None) -> "Source":
        """Return the declared source, or another place that has the same releases."""
        return cls(declaration, other or declaration.url)

    @property
    def bundles(self) -> BundleFolder | None:
        """The folder of bundles, when the place is one; a path that is not there counts as an empty one."""
        folder = self.declaration.root / self.place
        is_repository = (folder / "HEAD").exists() or (folder / ".git").exists()
        if is_repository or folder.is_file() or (not folder.exists() and _REMOTE.match(self.place)):
            return None
        return BundleFolder(folder, self.place)

    @property
    def url(self) -> str:
        """The place as git takes it."""
        local = self.declaration.root / self.place
        return str(local) if local.exists() else self.place

    @property
    def settings(self) -> tuple[str, ...]:
        """Settings of git for malformed old commits, as declared."""
        fsck = self.declaration.fetch.fsck.items()
        return tuple(f"{section}.fsck.{name}={severity}" for name, severity in fsck for section in ("fetch", "receive"))

    def fetch(self, repository: Repository, *, check: bool = True) -> list[UpstreamRelease]:
        """Bring all releases and their history into a repository of ours, and return them, newest first.

        Raises ToolError: a bundle is damaged, or with `check` not as recorded, or the place cannot be reached.
        """
        bundles = self.bundles
        if bundles is None:
            track, branch = self.declaration.track, self.declaration.branch
            refspecs = [f"+refs/tags/{track}:refs/tags/{track}"]
            self._fetch(repository, "--prune", *refspecs, f"+refs/heads/{branch}*:refs/upstream/{branch}*")
            return releases_in(repository, self.declaration)
        for name, text in bundles.problems() if check else ():
            raise ToolError(f"{bundles.shown}/{name} {text}", "restore the folder with git")
        fetched = {release.tag: release.oid for release in releases_in(repository, self.declaration)}
        tags: dict[str, str] = {}
        for bundle in bundles.bundles():
            path = bundles.path / bundle.name
            tags[bundle.tag] = _tags_of(path).get(bundle.tag, "")
            if not tags[bundle.tag]:
                raise GitError(f"{path} cannot be fetched: it is not there, or has no tag {bundle.tag}")
            if fetched.get(bundle.tag) != tags[bundle.tag]:
                self._unpack(repository, path)
        updates = "".join(f"update refs/tags/{tag} {oid}\n" for tag, oid in tags.items())
        repository.run("update-ref", "--stdin", stdin=updates.encode())
        return [release for release in releases_in(repository, self.declaration) if release.tag in tags]

    def fetch_tag(self, repository: Repository, tag: str) -> None:
        """Bring one release without its history."""
        self._fetch(repository, "--depth=1", f"+refs/tags/{tag}:refs/tags/{tag}")

    def remote_tags(self, repository: Repository) -> dict[str, tuple[str, str]]:
        """Return the tags at the place without fetching: for each name the id it points to itself, and its commit.

        The commit of a bundle's tag is not known without its objects, and left empty.
        """
        bundles = self.bundles
        if bundles is not None:
            heads_by_tag = [(bundle.tag, _tags_of(bundles.path / bundle.name)) for bundle in bundles.bundles()]
            return {tag: (heads[tag], "") for tag, heads in heads_by_tag if tag in heads}
        listed = repository.run("ls-remote", "--tags", "--", self.url, check=False, user=True)
        if listed.status != 0:
            raise GitError(f"{self.place} cannot be reached: {listed.complaint}", "look at the network and at `url`")
        tags: dict[str, tuple[str, str]] = {}
        for line in listed.text.splitlines():
            oid, _, name = line.partition("\trefs/tags/")
            plain = name.removesuffix("^{}")
            tags[plain] = (tags[plain][0], oid) if name != plain and plain in tags else (oid, oid)
        return tags

    def _unpack(self, repository: Repository, path: Path) -> None:
        """Bring the objects of a bundle, each checked; `git fetch` takes four times as long, and checks only links."""
        _, _, pack = path.read_bytes().partition(b"\n\n")
        accepted = ",".join(f"{name}={severity}" for name, severity in self.declaration.fetch.fsck.items())
        strict = f"--strict={accepted}" if accepted else "--strict"
        with _failure(str(path)):
            repository.run("index-pack", "--stdin", "--fix-thin", strict, stdin=pack)

    def _fetch(self, repository: Repository, option: str, *refspecs: str) -> None:
        with _failure(self.url):
            words = ("--quiet", "--no-tags", "--no-write-fetch-head", option, "--", self.url)
            repository.run("fetch", *words, *refspecs, user=True)


@contextmanager
def _failure(place: str) -> Iterator[None]:
    try:
        yield
    except GitError as error:
        hint = error.hint or "look at the network and at `url`; `rm -r` of the tools' own folder does no harm"
        raise GitError(f"{place} cannot be fetched: {error.message.partition(': ')[2]}", hint) from error


def find_release(releases: list[UpstreamRelease], tag: str) -> UpstreamRelease:
    """Return the release of a tag. Raises ToolError: there is none."""
    for release in releases:
        if release.tag == tag:
            return release
    names = ", ".join(release.tag for release in releases[:5])
    raise ToolError(f"the upstream has no release {tag}", f"the newest are {names}" if names else "look at `track`")


def _tags_of(bundle: Path) -> dict[str, str]:
    """Return the tags that the head of a bundle file names, with the ids they point to."""
    tags: dict[str, str] = {}
    if not bundle.is_file():
        return tags
    with bundle.open("rb") as file:
        for line in file:
            if line == b"\n":
                break
            oid, _, name = line.decode("utf-8", "replace").rstrip("\n").partition(" refs/tags/")
            if name:
                tags[name] = oid
    return tags
