"""The git command: every call of git, started in an isolated environment (see `isolation`)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ..errors import ToolError
from ..system.children import CHILDREN
from .isolation import OPTIONS, isolate


class Output(NamedTuple):
    """Result of a git command: exit status, raw standard output, decoded standard error."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        """Standard output as one stripped text; names in it may hold surrogates for bytes that are not UTF-8."""
        return self.stdout.decode("utf-8", "surrogateescape").strip()

    @property
    def complaint(self) -> str:
        """The first line of standard error that says something, without git's own prefix."""
        lines = self.stderr.splitlines()
        # A warning is the reason only where git gives no other.
        for line in sorted(lines, key=lambda one: one.startswith("warning: ")):
            said = line.strip().removeprefix("fatal: ").removeprefix("error: ")
            if said and not said.startswith(("hint:", "From ", "Cloning ")):
                return said
        return f"git ended with status {self.status}"


class Running:
    """A git command that was started; it works while something else is done."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes | None) -> None:
        """Take the process and its open outputs."""
        self._process = process
        self._stdin = stdin

    def finish(self) -> Output:
        """Wait for its end and return its output; to be called once, whatever happens."""
        process = self._process
        try:
            stdout, stderr = process.communicate(self._stdin)
        except BaseException:
            CHILDREN.end()
            raise
        CHILDREN.forget(process)
        return Output(process.returncode, stdout, stderr.decode("utf-8", "replace"))


class Git:
    """Git in one folder.

    With `git_dir` the commands work on that repository whatever folder they run in; with `index` they use that file
    as the index, so that the repository's own index stays untouched.
    """

    def __init__(self, folder: Path, *, git_dir: Path | None = None, index: Path | None = None) -> None:
        """Name the folder; nothing is started or checked yet."""
        self.folder = folder
        self._places: dict[str, str] = {}
        if git_dir is not None:
            self._places["GIT_DIR"] = str(git_dir)
        if index is not None:
            self._places["GIT_INDEX_FILE"] = str(index)

    def run(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        check: bool = True,
        network: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> Output:
        """Run `git ARGUMENTS` and return its output.

        Args:
            arguments: the command without `git`.
            stdin: bytes for standard input; None closes it.
            check: raise when git's exit status is not 0.
            network: keep the user's configuration (credential helpers) for this command.
            environment: more variables for this command.

        Raises:
            ToolError: git is not installed, or `check` was asked and git failed.
        """
        output = self.start(*arguments, stdin=stdin, network=network, environment=environment).finish()
        if check and output.status != 0:
            raise ToolError(f"git {arguments[0]} failed in {self.folder}: {output.complaint}")
        return output

    def start(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        network: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> Running:
        """Start `git ARGUMENTS`, so that several commands can work at once; arguments and errors as `run`."""
        isolation = isolate(os.environ, network=network)
        options = [part for option in (*OPTIONS, *self._trusted) for part in ("-c", option)]
        kept = {name: value for name, value in os.environ.items() if name not in isolation.removed}
        settings = {**kept, **isolation.settings, **self._places, **(environment or {})}
        try:
            return self._started(["git", *options, *arguments], stdin, settings)
        except OSError as error:
            raise ToolError(
                f"git could not be started in {self.folder}: {error}", "install git 2.32 or newer"
            ) from error

    def _started(self, command: Sequence[str], stdin: bytes | None, settings: Mapping[str, str]) -> Running:
        # Either bytes or a closed input, never the terminal's: git must not wait for a person.
        pipe = subprocess.PIPE
        given = subprocess.DEVNULL if stdin is None else pipe
        return Running(
            CHILDREN.start(
                lambda: subprocess.Popen(command, cwd=self.folder, env=settings, stdin=given, stdout=pipe, stderr=pipe)
            ),
            stdin,
        )

    @cached_property
    def _trusted(self) -> tuple[str, ...]:
        """Folders of other owners that the user's own configuration trusts; git asks for them, isolated or not."""
        try:
            foreign = hasattr(os, "geteuid") and self.folder.stat().st_uid != os.geteuid()
        except OSError:
            return ()
        if not foreign:
            return ()
        command = ["git", "config", "--get-all", "safe.directory"]
        listed = self._started(command, None, {**os.environ, "LC_ALL": "C"}).finish().text.splitlines()
        return tuple(f"safe.directory={folder}" for folder in listed)


def create_bare(folder: Path, object_format: str = "sha1") -> Git:
    """Create an empty bare repository at `folder` and return git working on it."""
    folder.mkdir(parents=True, exist_ok=True)
    Git(folder).run("init", "--quiet", "--bare", f"--object-format={object_format}", "--initial-branch=main", ".")
    return Git(folder, git_dir=folder)


def borrow_objects(bare: Git, lender: Git) -> None:
    """Let a bare repository, whose folder `bare` runs in, read the objects of another one; none is copied."""
    command = ("rev-parse", "--path-format=absolute", "--git-path", "objects")
    place = lender.run(*command).stdout.removesuffix(b"\n")
    alternates = bare.folder / "objects/info/alternates"
    alternates.parent.mkdir(parents=True, exist_ok=True)
    alternates.write_bytes(place + b"\n")


def with_index(git: Git, repository: Path, index: Path) -> Git:
    """Return git on the bare `repository` with `index` as its index; `git` supplies the folder it runs in."""
    return Git(git.folder, git_dir=repository, index=index)
