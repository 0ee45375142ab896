"""Upstreams and forks for the tests of the tools."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.mirror.declaration import Declaration, read_declaration
from tools.mirror.sync import Options, go_on, sync

WHO = {
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "init.templateDir",
    "GIT_CONFIG_VALUE_0": "",
}
GUARD = "mirror/gateway/** -text !eol !ident !filter !working-tree-encoding\npatches/*.patch -text\n"
DECLARED = 'schema = 1\nurl = "{url}"\ntrack = "v*"\npath = "mirror/gateway"\nexclude = []\n'


def git(folder: Path, *words: str, check: bool = True) -> str:
    """Run git and return its output."""
    result = subprocess.run(
        ["git", *words], cwd=folder, env=os.environ | WHO, capture_output=True, text=True, check=False
    )
    assert not check or result.returncode == 0, f"{words}: {result.stderr}{result.stdout}"
    return result.stdout.removesuffix("\n")


def numbered(count: int, **changed: str) -> bytes:
    """Return a file of numbered lines, some of them others (`line7="new"`)."""
    lines = [changed.get(f"line{number}", f"line {number}") for number in range(1, count + 1)]
    return ("\n".join(lines) + "\n").encode()


class Upstream:
    """A repository whose releases are mirrored."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet", "--initial-branch=main")

    def commit(self, files: Mapping[str, bytes | None], tag: str = "", message: str = "change") -> str:
        """Commit files (None removes one), and tag the commit."""
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        git(self.folder, "add", "--all")
        git(self.folder, "commit", "--quiet", f"--message={message}")
        if tag:
            git(self.folder, "tag", "--annotate", f"--message={tag}", tag)
        return git(self.folder, "rev-parse", "HEAD")

    def mail(self, files: Mapping[str, bytes | None], message: str) -> bytes:
        """Return a change as a patch file, and take it back."""
        self.commit(files, message=message)
        words = ("format-patch", "-1", "--stdout", "-k", "--zero-commit", "--no-signature", "--full-index", "--no-stat")
        text = subprocess.run(["git", *words], cwd=self.folder, env=os.environ | WHO, capture_output=True, check=True)
        git(self.folder, "reset", "--quiet", "--hard", "HEAD^")
        return text.stdout

    def bundle(self, folder: Path, tag: str, since: str = "") -> None:
        """Write a release as a bundle, and record it."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{tag}.bundle"
        git(
            self.folder, "bundle", "create", "--quiet", str(path), f"refs/tags/{tag}", *([f"^{since}"] if since else [])
        )
        with (folder / "SHA256SUMS").open("a", encoding="utf-8") as record:
            record.write(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")


@dataclass
class Fork:
    """A project with a mirror; `said` collects the lines that commands print."""

    root: Path
    said: list[str]

    @classmethod
    def make(cls, root: Path, url: str, more: str = "", patches: Mapping[str, bytes] | None = None) -> Fork:
        """Make a project that mirrors an upstream; nothing is synchronized yet."""
        (root / "mirror").mkdir(parents=True)
        (root / "patches").mkdir()
        order = ", ".join(f'"{name}"' for name in patches or {})
        declared = DECLARED.format(url=url) + f"\n[patches]\norder = [{order}]\n{more}"
        (root / "mirror/upstream.toml").write_text(declared, encoding="utf-8")
        (root / ".gitattributes").write_text(GUARD, encoding="utf-8")
        for name, content in (patches or {}).items():
            (root / "patches" / name).write_bytes(content)
        git(root, "init", "--quiet", "--initial-branch=main")
        fork = cls(root, [])
        fork.commit()
        return fork

    @property
    def declaration(self) -> Declaration:
        """The declaration as it is now."""
        return read_declaration(self.root)

    def sync(self, tag: str | None = None, *, refresh: bool = False, source: str | None = None) -> None:
        """Synchronize."""
        sync(self.declaration, Options(tag, source, refresh), self.said.append)

    def go_on(self, kind: str = "sync") -> None:
        """Take up what waits for a person."""
        go_on(self.declaration, kind, self.said.append)

    def commit(self, message: str = "change") -> None:
        """Commit everything."""
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--allow-empty", f"--message={message}")

    def tree(self) -> str:
        """Return the tree of the mirrored folder in the index."""
        return git(self.root, "write-tree", "--prefix=mirror/gateway/")

    def copy(self, root: Path) -> Fork:
        """Copy the project to another folder."""
        shutil.copytree(self.root, root, symlinks=True)
        return Fork(root, [])

    def is_clean(self) -> bool:
        """Return whether nothing differs from the last commit."""
        return git(self.root, "status", "--porcelain") == ""
