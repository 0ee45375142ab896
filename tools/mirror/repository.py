"""Git, by GitPython, isolated from settings of the user and the machine.

Theory of operation. A result must not depend on the person or the machine. The process's own `GIT_*` variables are
removed but for those that reach a server; configuration of user and system is not read, except where a network needs
its credential helpers; hooks, prompts, replacement objects and attributes of the machine are out of play. Every command
is started through `git.Git.execute` of an isolated object. A file descriptor named in `passed_on` stays open in git.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import GitError, ToolError

if TYPE_CHECKING:
    import git

_KEPT = ("GIT_SSH", "GIT_ASKPASS", "GIT_PROXY_", "GIT_SSL_", "GIT_HTTP_", "GIT_EXEC_PATH")
_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_EDITOR": "true",
}
_NO_USER = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_OPTIONS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.quotePath=false",
    "core.autocrlf=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.fsckObjects=true",
    "protocol.ext.allow=never",
    "advice.detachedHead=false",
    "init.templateDir=",
)
_BYTES_AS_STORED = "* -text !eol !ident !filter !working-tree-encoding\n"
_MALFORMED = re.compile(r"object [0-9a-f]+: (\w+):")
_DESCRIPTORS: set[int] = set()


@dataclass(frozen=True)
class Output:
    """The result of one git command."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        """Standard output as text, without the last newline."""
        return os.fsdecode(self.stdout).removesuffix("\n")

    @property
    def records(self) -> list[str]:
        """Standard output of a command with `-z`, as its records."""
        return os.fsdecode(self.stdout).split("\0")[:-1]

    @property
    def complaint(self) -> str:
        """The lines git wrote about a failure, on one line."""
        lines = [line.rstrip(";") for line in self.stderr.splitlines() if line and not line.startswith("hint:")]
        return "; ".join(lines[-3:]) or os.fsdecode(self.stdout[-200:]).strip() or f"status {self.status}"


def identity(name: str, address: str) -> dict[str, str]:
    """Return the variables that name author and committer."""
    return {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", name), ("EMAIL", address))
    }


def _git(folder: Path, variables: Mapping[str, str]) -> "git.Git":
    """Return GitPython's git in a folder; the library is loaded only here, as commands without git do without it."""
    try:
        import git
    except ImportError as failure:  # it looks for the program when it is imported
        hint = "use the development environment, or install git, click, GitPython and import-linter"
        raise ToolError(f"GitPython cannot be used: {failure}", hint) from failure
    isolated = git.Git(str(folder))
    isolated.update_environment(**variables)
    return isolated


@contextmanager
def passed_on(descriptor: int) -> Iterator[None]:
    """Keep a file descriptor open in every git that is started meanwhile."""
    os.set_inheritable(descriptor, True)
    _DESCRIPTORS.add(descriptor)
    try:
        yield
    finally:
        _DESCRIPTORS.discard(descriptor)


class Repository:
    """Git in one folder: a working tree, or a bare repository."""

    def __init__(self, folder: Path, settings: Iterable[str] = ()) -> None:
        """Name the folder, and more settings (`key=value`) for every command in it."""
        for name in [name for name in os.environ if name.startswith("GIT_") and not name.startswith(_KEPT)]:
            del os.environ[name]
        self.folder = folder
        self.git = _git(folder, {**_ENVIRONMENT, **identity("mirror", "mirror@localhost"), **_NO_USER})
        self._user_git = _git(folder, _ENVIRONMENT)
        self._options = [*_OPTIONS, *settings, *self._trusted_folders()]
        self.git.set_persistent_git_options(c=self._options)

    @classmethod
    def create(cls, folder: Path, settings: Iterable[str] = ()) -> "Repository":
        """Create an empty bare repository that never converts bytes, and return it."""
        folder.mkdir(parents=True, exist_ok=True)
        repository = cls(folder, settings)
        repository.run("init", "--quiet", "--bare", "--initial-branch=main", "--object-format=sha1", ".")
        (folder / "info").mkdir(exist_ok=True)
        (folder / "info/attributes").write_text(_BYTES_AS_STORED, encoding="utf-8")
        return repository

    @classmethod
    def at(cls, folder: Path) -> "Repository":
        """Return the repository that a project's folder belongs to. Raises ToolError: it belongs to none."""
        repository = cls(folder)
        inside = repository.run("rev-parse", "--is-inside-work-tree", check=False)
        if inside.text != "true":
            raise ToolError(f"{folder} is not in a git repository: {inside.complaint}", "git init, or name it with -C")
        return repository

    @cached_property
    def git_dir(self) -> Path:
        """The repository's own folder; of a linked worktree its private one."""
        return Path(self.run("rev-parse", "--absolute-git-dir").text)

    @cached_property
    def prefix(self) -> str:
        """Path of the folder from the top of the working tree: empty, or with a slash at its end."""
        return self.run("rev-parse", "--show-prefix").text

    def run(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        env: Mapping[str, str] | None = None,
        check: bool = True,
        user: bool = False,
    ) -> Output:
        """Run `git ARGUMENTS` and return its output; without `stdin` standard input is empty.

        A `user` command reads the user's configuration, for credential helpers and for identity. Raises GitError: git
        failed, unless `check` is off.
        """
        options = [part for option in self._options for part in ("-c", option)]
        command = [self.git.GIT_PYTHON_GIT_EXECUTABLE or "git", *options, *arguments]
        with tempfile.TemporaryFile() as file:
            if stdin is not None:
                file.write(stdin)
                file.seek(0)
            status, stdout, stderr = (self._user_git if user else self.git).execute(
                command,
                istream=file,
                with_extended_output=True,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                with_exceptions=False,
                env=dict(env or {}),
                pass_fds=tuple(_DESCRIPTORS),
            )
        output = Output(status, stdout, stderr)
        if check and status != 0:
            raise GitError(f"git {arguments[0]} failed in {self.folder}: {output.complaint}", _help_with(output.stderr))
        return output

    def commit_of(self, revision: str) -> str | None:
        """Return the id of the commit a revision names, or None."""
        output = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", check=False)
        return output.text if output.status == 0 else None

    def read_blobs(self, ids: Iterable[str]) -> list[bytes]:
        """Return the contents of blobs, by one process."""
        names = list(ids)
        stdout = self.run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in names).encode()).stdout
        contents, position = [], 0
        for _ in names:
            head, _, _ = stdout[position:].partition(b"\n")
            size = int(head.split()[2])
            begin = position + len(head) + 1
            contents.append(stdout[begin : begin + size])
            position = begin + size + 1
        return contents

    def remove_stale_locks(self) -> None:
        """Remove lock files of a git that was killed; only for a repository that nothing else works in."""
        for pattern in ("*.lock", "refs/**/*.lock", "worktrees/**/*.lock"):
            for lock in self.folder.glob(pattern):
                lock.unlink(missing_ok=True)

    def _trusted_folders(self) -> list[str]:
        """Return the folders of other owners that the user's own configuration trusts, where this is one of them."""
        try:
            if not hasattr(os, "geteuid") or self.folder.stat().st_uid == os.geteuid():
                return []
        except OSError:
            return []
        listed = _git(self.folder, {}).execute(
            ["git", "config", "--get-all", "safe.directory"], with_exceptions=False, with_extended_output=True
        )
        return [f"safe.directory={place}" for place in str(listed[1]).splitlines()]


def remove_folder(folder: Path) -> None:
    """Remove a folder of ours with all that is in it; a folder that is not there is no error."""
    if folder.exists():
        shutil.rmtree(folder)


def _help_with(stderr: str) -> str:
    malformed = _MALFORMED.search(stderr)
    if malformed:
        key = malformed[1]
        return (
            f"an old commit of the upstream is malformed; to accept it, add to upstream.toml: "
            f'[fetch] fsck = {{ {key} = "ignore" }} (git\'s fetch.fsck.{key})'
        )
    return (
        "another git is at work here, or was killed: remove that .lock file" if ".lock': File exists" in stderr else ""
    )
