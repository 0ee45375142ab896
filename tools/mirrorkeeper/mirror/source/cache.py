"""Cache of fetched objects for all projects of a user, so that the next fetch transfers only new ones.

Nothing depends on it: without a folder to write to, while another command uses it, or when it is damaged, the upstream
is fetched as if there were none. Objects are given to a command as second names of the packs, so that whatever
happens to the cache afterwards does not touch a command at work.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from ...errors import ToolError
from ...git.command import Git, create_bare
from ...system.lock import ProcessLock

VARIABLE = "MIRROR_CACHE"
_FOLDER = "upstream-mirrors"
_PACKS_AT_MOST = 50
_TRAILERS = {"sha1": 20, "sha256": 32}


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the user's cache folder: `MIRROR_CACHE` (empty for nowhere), else below the user's folder for caches."""
    if VARIABLE in environment:
        return Path(environment[VARIABLE]).absolute() if environment[VARIABLE] else None
    if environment.get("XDG_CACHE_HOME"):
        return Path(environment["XDG_CACHE_HOME"]).absolute() / _FOLDER
    return Path(environment["HOME"]).absolute() / ".cache" / _FOLDER if environment.get("HOME") else None


class FetchCache:
    """The cache of one address and one way of fetching from it."""

    def __init__(self, root: Path, address: str, *, alone: bool, object_format: str) -> None:
        """Name it; nothing is read or made yet.

        Args:
            root: the folder of all caches.
            address: where is fetched from.
            alone: whether single releases are fetched without their history; they are kept apart.
            object_format: of the upstream.
        """
        key = hashlib.sha256(f"{alone}\0{object_format}\0{address}".encode("utf-8", "surrogateescape")).hexdigest()
        self.folder = root / f"{key[:24]}.git"
        self._lock = ProcessLock(root / f"{key[:24]}.lock")
        self._object_format = object_format

    def give(self, target: Git, fetch: Callable[[Git], bool], wanted: str | None) -> bool:
        """Bring the cache up to date by `fetch`, and give its objects to the new bare repository `target` works in.

        Refs are given along: that of the tag `wanted`, or all. Returns False when there is nothing to give: then
        `target` is as empty as before.
        """
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except (OSError, ToolError):
            return False
        try:
            return self._updated(fetch) and self._given(target, wanted)
        except (OSError, ToolError):
            shutil.rmtree(self.folder, ignore_errors=True)
            return False
        finally:
            self._lock.release()

    def _updated(self, fetch: Callable[[Git], bool]) -> bool:
        if self.folder.exists() and not self._is_sound():
            shutil.rmtree(self.folder)
        git = Git(self.folder, git_dir=self.folder)
        if not self.folder.exists():
            git = create_bare(self.folder, self._object_format)
        if fetch(git):
            self._record.write_text("".join(f"{name}\n" for name in self._packs()), encoding="utf-8")
            return True
        # The upstream may not have it, or may be away; or what is here is damaged in a way its packs do not show.
        if git.run("fsck", "--connectivity-only", "--no-dangling", check=False).status != 0:
            shutil.rmtree(self.folder)
        return False

    def _given(self, target: Git, wanted: str | None) -> bool:
        for path in sorted((self.folder / "objects/pack").iterdir()):
            _share(path, target.folder / "objects/pack" / path.name)
        if (self.folder / "shallow").exists():
            shutil.copy(self.folder / "shallow", target.folder / "shallow")
        pattern = f"refs/tags/{wanted}" if wanted else "refs"
        git = Git(self.folder, git_dir=self.folder)
        listed = git.run("for-each-ref", "--format=create %(refname) %(objectname)", pattern).stdout
        target.run("update-ref", "--stdin", stdin=listed)
        return True

    @property
    def _record(self) -> Path:
        return self.folder / "packs.txt"

    def _packs(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "objects/pack").glob("pack-*"))

    def _is_sound(self) -> bool:
        """Return whether the packs are those recorded after the last fetch, and each is whole by its own checksum."""
        try:
            recorded = self._record.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return False
        if recorded != self._packs() or len(recorded) > 2 * _PACKS_AT_MOST:
            return False
        return all(self._is_whole(self.folder / "objects/pack" / name) for name in recorded)

    def _is_whole(self, path: Path) -> bool:
        if path.suffix not in (".pack", ".idx"):
            return True
        content = path.read_bytes()
        size = _TRAILERS[self._object_format]
        digest = hashlib.new(self._object_format, content[:-size], usedforsecurity=False).digest()
        return digest == content[-size:]


def _share(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)
