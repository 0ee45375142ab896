"""The project's place: one folder, everything else relative to it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from .errors import ToolError
from .git.command import Git, Output, Running

DECLARATION = "mirror/upstream.toml"
_NO_REPOSITORY = "not a git repository (or any"


class Project:
    """The folder of the fork, and where in it the declaration lies.

    Attributes:
        root: absolute folder, links resolved.
        declaration: path of `upstream.toml` relative to the root; the lock lies beside it.
        broken: errors in tables of the declaration that one gate alone reads, by their names; None refuses them all.
    """

    def __init__(self, root: Path, declaration: str = DECLARATION) -> None:
        """Take the folder as it is; `at` looks at it first."""
        self.root = root
        self.declaration = declaration
        self.broken: dict[str, ToolError] | None = None
        self._asked: Running | None = None

    @classmethod
    def at(cls, folder: Path, declaration: str = DECLARATION) -> Project:
        """Return the project in `folder`.

        Raises:
            ToolError: there is no such folder, or the declaration lies outside of it.
        """
        if not folder.is_dir():
            raise ToolError(f"{folder} is not a folder", "name the project with -C DIR")
        root = Path(os.path.realpath(folder))
        return cls(root, _within(root, declaration))

    def beside(self, declaration: str) -> Project:
        """Return the project with another declaration of the same folder."""
        return Project.at(self.root, declaration)

    @property
    def declaration_path(self) -> Path:
        """Absolute path of `upstream.toml`."""
        return self.root / self.declaration

    @property
    def lock(self) -> str:
        """Path of `upstream.lock` relative to the root."""
        return self.declaration.removesuffix(".toml") + ".lock"

    @property
    def lock_path(self) -> Path:
        """Absolute path of `upstream.lock`."""
        return self.root / self.lock

    @cached_property
    def git(self) -> Git:
        """Git in the project's folder, on the repository the folder belongs to."""
        return Git(self.root)

    def ask(self) -> None:
        """Ask git about the repository, so that it works on the answer while more is started; `prefix` takes it."""
        if self._asked is None and "_repository" not in vars(self):
            self._asked = self._start_asking()

    def finish_asking(self) -> None:
        """Wait for the answer to `ask`, if nothing took it; to be called where an error keeps it from being used."""
        running, self._asked = self._asked, None
        if running is not None:
            running.finish()

    def _start_asking(self) -> Running:
        return self.git.start("rev-parse", "--show-object-format", "--is-inside-work-tree", "--show-prefix")

    @cached_property
    def _repository(self) -> tuple[str | None, str]:
        running, self._asked = self._asked or self._start_asking(), None
        output = running.finish()
        lines = output.stdout.decode("utf-8", "surrogateescape").split("\n", 2)
        if output.status != 0:
            if output.complaint.startswith(_NO_REPOSITORY):
                _refuse_damaged([self.root, *self.root.parents])
                return None, "sha1"
            raise ToolError(f"git cannot use the repository of {self.root}: {output.complaint}", _advised(output))
        object_format, inside, prefix = lines
        if inside != "true":
            raise ToolError(
                f"{self.root} is not among the working files of the repository it lies in",
                "see what `git config core.worktree` and `git config core.bare` say",
            )
        prefix = prefix.rstrip("\n")
        if prefix:
            _refuse_damaged([self.root, *self.root.parents][: prefix.count("/")])
        return prefix, object_format

    @property
    def prefix(self) -> str | None:
        """The project's folder relative to the top of its git repository (`""` or `sub/`); None outside of one.

        Raises:
            ToolError: there is one that git refuses (another owner, damage): nothing can be said about its state.
        """
        return self._repository[0]

    @property
    def top(self) -> Path:
        """The top of the working files of its git repository; the project's own folder outside of one."""
        return self.root.parents[self.prefix.count("/") - 1] if self.prefix else self.root

    @property
    def object_format(self) -> str:
        """The object format of the project's own repository; that of most where there is none."""
        return self._repository[1]


def _within(root: Path, declaration: str) -> str:
    """The declaration's path relative to the project, however it was written."""
    if not declaration.startswith("/") and ".." not in declaration:
        return declaration
    for folder in (Path(declaration).parent, Path(os.path.realpath(root / declaration)).parent):
        path = os.path.relpath(root / folder / Path(declaration).name, root)
        if not path.startswith(".."):
            return Path(path).as_posix()
    raise ToolError(f"{declaration} lies outside of the project {root}", "name the project with -C DIR")


def _refuse_damaged(folders: Iterable[Path]) -> None:
    """Refuse a repository that git passed over in one of these folders: its index and commits would go unjudged.

    Raises:
        ToolError: there is one.
    """
    for folder in folders:
        place = folder / ".git"
        if not place.is_dir():
            continue  # of a file git tells itself
        if Git(folder, git_dir=place).run("rev-parse", "--git-dir", check=False).status != 0:
            advice = "restore its HEAD, or clone the project again; `git fsck` tells more once HEAD is there"
            raise ToolError(f"git does not take {place} for a repository: HEAD or another part is damaged", advice)


def _advised(output: Output) -> str:
    """The command that git itself advises, if any."""
    lines = [line.strip() for line in output.stderr.splitlines()]
    return next((line for line in lines if line.startswith("git config ")), "")
