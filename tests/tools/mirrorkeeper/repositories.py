"""Real git repositories for tests: an upstream with releases, a project that mirrors it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.git.guard import GUARD
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles

WHO = {
    "GIT_AUTHOR_NAME": "Ann Author",
    "GIT_AUTHOR_EMAIL": "ann@example.test",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "Ann Author",
    "GIT_COMMITTER_EMAIL": "ann@example.test",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}

FILES: Mapping[str, bytes] = {
    "README.md": b"upstream\n",
    "src/app.py": b"import os\n\nprint(os.name)\n",
    "run.sh": b"#!/bin/sh\n",
}


GUARD_LINE = f"mirror/gateway/** {GUARD}\n"


def introduce(folder: Path) -> None:
    """Tell a repository who works in it."""
    with (folder / ".git/config").open("a", encoding="utf-8") as file:
        file.write("[user]\n\tname = Ann Author\n\temail = ann@example.test\n")


class Upstream:
    """A repository that releases are made in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git = Git(folder)
        if not (folder / ".git").exists():
            folder.mkdir(parents=True, exist_ok=True)
            self.git.run("init", "--quiet", "--initial-branch=main", ".")
        introduce(folder)

    def commit(self, files: Mapping[str, bytes | None], *, tag: str = "", message: str = "change") -> str:
        """Write files (None removes one; a name ending in `.sh` is executable), commit, tag; return the commit."""
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755 if name.endswith(".sh") else 0o644)
        self.git.run("add", "--all", "--force", ".")
        self.git.run("commit", "--quiet", "--allow-empty", f"--message={message}", environment=WHO)
        if tag:
            self.git.run("tag", "--annotate", f"--message={tag}", tag, environment=WHO)
        return self.git.run("rev-parse", "HEAD").text


@dataclass
class Fork:
    """A project that mirrors an upstream, with what it was told."""

    project: Project
    said: list[str] = field(default_factory=list)

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self.project.root

    @property
    def mirror(self) -> Path:
        """The mirrored folder."""
        return self.root / "mirror/gateway"

    @property
    def transaction(self) -> Path:
        """Where a synchronization works."""
        return self.root / "mirror/.gateway.sync"

    def sync(
        self,
        wanted: str | None = None,
        *,
        dry_run: bool = False,
        discard: bool = False,
        accept_moved_tag: bool = False,
    ) -> None:
        """Run `mirror sync`."""
        options = SyncOptions(wanted, None, dry_run, discard, accept_moved_tag)
        Synchronization(self.project, DiskFiles(), self.said.append).run(options)

    def codes(self, *, prove: bool = False) -> list[str]:
        """The codes `mirror verify` finds, without the note that nothing is committed yet."""
        report = verify(self.project, VerifyOptions(prove=prove))
        return [finding.code for finding in report.findings if finding.code != "MIR011"]

    def found(self) -> list[tuple[str, str]]:
        """Code and path of what `mirror verify` finds, notes about commits left out."""
        report = verify(self.project, VerifyOptions())
        return [(one.code, one.shown_path) for one in report.findings if one.code != "MIR011"]

    def moved(self, place: str) -> None:
        """Move the mirrored folder, with all that names it, and commit."""
        (self.root / place).parent.mkdir()
        self.project.git.run("mv", "mirror/gateway", place)
        for path in (self.project.declaration_path, self.root / ".gitattributes"):
            path.write_text(path.read_text(encoding="utf-8").replace("mirror/gateway", place), encoding="utf-8")
        self.commit()

    def unguarded(self) -> None:
        """Take the attributes away that keep git from converting mirrored files, and commit."""
        (self.root / ".gitattributes").unlink()
        self.commit()

    def commit(self, message: str = "work") -> None:
        """Commit what is in the index and everything else of the project."""
        self.project.git.run("add", "--all", ".")
        self.project.git.run("commit", "--quiet", f"--message={message}", environment=WHO)


def declaration_text(url: str, extra: str = "", exclude: str = "[]", top: str = "") -> str:
    return f'schema = 1\nurl = "{url}"\ntrack = "v*"\npath = "mirror/gateway"\nexclude = {exclude}\n{top}\n{extra}\n'


def make_fork(folder: Path, url: str, extra: str = "", *, exclude: str = "[]", with_git: bool = True) -> Fork:
    """Make a project at `folder` that mirrors `url`."""
    (folder / "mirror").mkdir(parents=True)
    (folder / "mirror/upstream.toml").write_text(declaration_text(url, extra, exclude), encoding="utf-8")
    (folder / ".gitattributes").write_text(GUARD_LINE, encoding="utf-8")
    if with_git:
        git = Git(folder)
        git.run("init", "--quiet", "--initial-branch=main", ".")
        introduce(folder)
        git.run("add", "--all", ".")
        git.run("commit", "--quiet", "--message=begin", environment=WHO)
    return Fork(Project.at(folder))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file and link below a folder with its bytes, for comparing states."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = b"-> " + str(path.readlink()).encode()
        elif path.is_file():
            found[name] = oct(path.stat().st_mode & 0o111).encode() + b" " + path.read_bytes()
    return found
