"""`upstream`: an upstream of our own whose history is kept as bundles, one immutable file a release."""

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .declaration import Declaration
from .errors import GitError, PausedError, ToolError
from .lock import replace_file, sha256_of
from .releases import RECORD, BundleFolder, Source, UpstreamRelease, is_newer
from .report import counted
from .repository import Repository, identity
from .sync import Say

_PLAIN = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_OPEN = "python -m tools upstream open DIR"
_VERSION_FILES: Mapping[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "pyproject.toml": (tomllib.loads, ("project", "version")),
    "Cargo.toml": (tomllib.loads, ("package", "version")),
    "package.json": (json.loads, ("version",)),
}


def open_upstream(declaration: Declaration, folder: Path) -> str:
    """Create a working repository with all published history, the release branch checked out; return a line about it.

    Raises ToolError: the folder is not empty, or a bundle is damaged.
    """
    _bundles(declaration)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ToolError(f"{folder} is there and not empty", "name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    repository = Repository(folder.resolve())
    repository.run("init", "--quiet", f"--initial-branch={declaration.branch}", ".")
    published = Source.of(declaration).fetch(repository)
    if not published:
        return f"{folder}: an empty repository; nothing is published yet, and the first release needs --version"
    repository.run("checkout", "--quiet", "-B", declaration.branch, published[0].commit)
    return f"{folder}: branch {declaration.branch} at {published[0].tag}, {counted(len(published), 'release')}"


def publish(declaration: Declaration, folder: Path, version: str | None, say: Say) -> str:
    """Publish the commits on the release branch of `folder` as one new bundle, and return its tag.

    No older bundle is touched; the new one is fetched into an empty repository before it is recorded.

    Raises:
        ToolError: there is nothing to publish, or something is in the way; nothing was published.
        PausedError: rebasing on the newest release conflicts.
    """
    bundles = _bundles(declaration)
    repository = Repository(folder.resolve())
    _refuse_unready(repository, declaration.branch)
    published = Source.of(declaration).fetch(repository)
    newest = published[0] if published else None
    number = _next_version(newest, version)
    tag = declaration.tag_of(number)
    target = bundles.path / f"{tag}.bundle"
    if target.exists():
        raise ToolError(f"{bundles.shown}/{target.name} is already there", "a published bundle never changes")
    if newest is not None:
        _rebase(repository, newest)
        if repository.commit_of("HEAD") == newest.commit:
            raise ToolError(f"{folder} has nothing that {newest.tag} does not have", "commit something first")
    _refuse_other_version(repository, number)
    _tag(repository, tag)
    bundles.path.mkdir(parents=True, exist_ok=True)
    draft = bundles.path / f".{target.name}.new"
    since = [f"^refs/tags/{newest.tag}"] if newest else []
    repository.run("bundle", "create", "--quiet", str(draft.resolve()), f"refs/tags/{tag}", *since)
    try:
        _prove(declaration, draft, tag, repository.commit_of(f"refs/tags/{tag}"))
    except ToolError:
        draft.unlink()
        raise
    draft.replace(target)
    record = "".join(f"{bundle.sha256}  {bundle.name}\n" for bundle in bundles.bundles())
    replace_file(bundles.path / RECORD, f"{record}{sha256_of(target)}  {target.name}\n".encode())
    say(f"published {tag} as {bundles.shown}/{target.name}")
    return tag


def _bundles(declaration: Declaration) -> BundleFolder:
    bundles = Source.of(declaration).bundles
    if bundles is None:
        raise ToolError(f"the upstream is {declaration.url}, no folder of bundles", "publish there with git itself")
    return bundles


def _refuse_unready(repository: Repository, branch: str) -> None:
    """Refuse a working repository whose work is not all committed on the release branch."""
    folder = repository.folder
    top = repository.run("rev-parse", "--show-toplevel", check=False) if folder.is_dir() else None
    if top is None or top.status != 0 or os.path.realpath(top.text) != os.path.realpath(folder):
        raise ToolError(f"{folder} is not the top of a git repository", _OPEN)
    current = repository.run("symbolic-ref", "--quiet", "--short", "HEAD", check=False).text
    if current != branch:
        raise ToolError(
            f"{folder} is on {current or 'no branch'}, releases are made from {branch}", f"git switch {branch}"
        )
    if repository.commit_of("HEAD") is None:
        raise ToolError(f"{folder} has no commit yet", "commit something first")
    changed = repository.run("status", "--porcelain", "-z", "--untracked-files=all").records
    if changed:
        raise ToolError(f"{folder} has work that is not committed: {changed[0][3:]}", "commit or ignore it")


def _next_version(newest: UpstreamRelease | None, version: str | None) -> str:
    """Return the version that is asked for when it is newer than the newest release, else the next patch number."""
    plain = _PLAIN.fullmatch(version or (newest.version if newest else ""))
    if version is None:
        if newest is None or plain is None:
            raise ToolError("the release needs its version", "give --version 0.1.0")
        return f"{plain[1]}.{plain[2]}.{int(plain[3]) + 1}"
    if plain is None:
        raise ToolError(f"{version!r} is not a version", "give three numbers, as in 0.1.0")
    if newest is not None and not is_newer(version, newest.version):
        raise ToolError(f"{version} is not newer than {newest.version}", "give a higher version, or none")
    return version


def _rebase(repository: Repository, newest: UpstreamRelease) -> None:
    folder = repository.folder
    if repository.run("merge-base", "--is-ancestor", newest.commit, "HEAD", check=False).status == 0:
        return
    if repository.run("merge-base", newest.commit, "HEAD", check=False).status != 0:
        raise ToolError(f"{folder} shares no history with {newest.tag}", f"begin with `{_OPEN}`")
    words = ("rebase", "--quiet", "--rebase-merges", "--no-autostash", "--no-gpg-sign", newest.commit)
    output = repository.run(*words, check=False, env=_identity(repository))
    if output.status != 0:
        conflicts = repository.run("diff", "--name-only", "--diff-filter=U", "-z").records
        repository.run("rebase", "--abort", check=False)
        text = (
            f"rebasing on {newest.tag} conflicts in {', '.join(conflicts) or output.complaint}; the branch is as it was"
        )
        raise PausedError(text, f"git -C {folder} rebase {newest.tag}, settle it there, publish again")


def _refuse_other_version(repository: Repository, version: str) -> None:
    """Refuse a release that a file at the top of the project calls otherwise."""
    for name, (parse, keys) in _VERSION_FILES.items():
        blob = repository.run("cat-file", "blob", f"HEAD:{name}", check=False)
        if blob.status != 0:
            continue
        try:
            declared = parse(blob.stdout.decode("utf-8"))
        except ValueError:  # a broken file is the project's own matter
            continue
        for key in keys:
            declared = declared.get(key) if isinstance(declared, dict) else None
        if isinstance(declared, str) and declared != version:
            hint = f"set it to {version}, commit, and publish again"
            raise ToolError(f"{name} says version {declared}, and the release would be {version}", hint)


def _tag(repository: Repository, tag: str) -> None:
    """Create the annotated tag on the branch's commit; one already there that names it is used."""
    current = repository.commit_of(f"refs/tags/{tag}")
    if current is not None:
        kind = repository.run("cat-file", "-t", f"refs/tags/{tag}").text
        if current == repository.commit_of("HEAD") and kind == "tag":
            return
        raise ToolError(f"{repository.folder} has a tag {tag} of its own", f"git tag -d {tag}")
    words = ("tag", "--annotate", "--no-sign", f"--message=Release {tag}", tag, "HEAD")
    repository.run(*words, env=_identity(repository))


def _prove(declaration: Declaration, draft: Path, tag: str, commit: str | None) -> None:
    """Fetch everything, the new bundle last, into an empty repository, every object checked."""
    with tempfile.TemporaryDirectory(prefix="publish-") as folder:
        repository = Repository.create(Path(folder))
        Source.of(declaration).fetch(repository)
        repository.run("fetch", "--quiet", "--no-tags", str(draft.resolve()), f"refs/tags/{tag}:refs/tags/{tag}")
        fetched = repository.commit_of(f"refs/tags/{tag}")
    if fetched != commit:
        raise GitError(f"the bundle of {tag} brings {fetched}, not {commit}", "nothing was published")


def _identity(repository: Repository) -> Mapping[str, str]:
    """Return the name that a commit would carry, by the owner's own configuration."""
    shown = repository.run("var", "GIT_COMMITTER_IDENT", check=False, user=True)
    name, _, rest = shown.text.partition(" <")
    address = rest.partition(">")[0]
    if shown.status != 0 or not name or not address:
        raise ToolError(f"git does not know who you are in {repository.folder}", "git config user.name and user.email")
    return identity(name, address)
