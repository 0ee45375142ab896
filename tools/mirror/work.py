"""The folder the tools work in, and the switch of the project to a new mirrored tree.

Theory of operation. All work is done in `.work` beside `upstream.toml`: a bare repository of the upstream, a working
tree for patches, and the state of a run that waits for a person. It may be deleted at any time. One command at a time
has it, by a lock on a file; git processes inherit it, so that one that outlives a killed command is waited for.

The project changes in one step at the end. Everything that will be written is recorded in `next.json` first; then the
mirrored files, the patches, the lock and the index are written. A command that finds the record ends the switch before
anything else, so that a kill at any moment is put right by the next command; `--abort` takes it back by git.
"""

import base64
import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from .declaration import Declaration
from .errors import ToolError
from .lock import replace_file
from .releases import Source
from .repository import Repository, passed_on, remove_folder

_MARKER = b"held by python -m tools\n"
_PACKED_FROM = 100
"""Number of objects that are stored as a pack, as `git fetch` does."""


def work_folder(declaration: Declaration) -> Path:
    """Return the folder the tools work in; it may not be there."""
    return declaration.file.parent / ".work"


@dataclass(frozen=True)
class NextState:
    """The next state of the project.

    Attributes:
        title: the new state, for people.
        tree: tree of the mirrored folder.
        files: new contents by path relative to the project; None deletes the file.
    """

    title: str
    tree: str
    files: Mapping[str, bytes | None]


@dataclass
class Run:
    """A series of patches on its way to a new base; kept while it waits for a person.

    Attributes:
        kind: `sync`, or `edit` for everything that stays at the pinned release.
        tag: the release.
        fetched_from: the place it was fetched from.
        base: our commit of the mirrored part of the release.
        names: all patches in order.
        position: how many of them are dealt with.
        head: the commit that the dealt ones made.
        made: the patches that have a commit, in order.
        upstream: the patches the release has already.
        merged: the patches that needed a merge.
        stopped: the patch a person works on; empty while there is none.
        message: its commit message.
        author: name, address and date of its author.
    """

    kind: str
    tag: str
    fetched_from: str
    base: str
    names: list[str]
    position: int = 0
    head: str = ""
    made: list[str] = field(default_factory=list)
    upstream: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    stopped: str = ""
    message: str = ""
    author: list[str] = field(default_factory=list)

    @property
    def going_on(self) -> str:
        """The command that takes the run up."""
        return f"python -m tools {'mirror sync --continue' if self.kind == 'sync' else 'patch refresh'}"


class Work:
    """The folder the tools work in, while one command has it."""

    def __init__(self, declaration: Declaration, say: Callable[[str], None]) -> None:
        """Take the folder; `at_work` locks it first."""
        self.declaration = declaration
        self.say = say
        self.folder = work_folder(declaration)
        self.project = Repository.at(declaration.root)
        self.tree = self.folder / "tree"
        self.mails = self.folder / "mails"
        self.index = self.folder / "index"
        self._state = self.folder / "run.json"
        self._next = self.folder / "next.json"

    @cached_property
    def repository(self) -> Repository:
        """The bare repository of the upstream."""
        folder = self.folder / "repository"
        if not (folder / "info/attributes").is_file():
            remove_folder(folder)
            draft = self.folder / "repository.new"
            remove_folder(draft)
            Repository.create(draft)
            draft.rename(folder)
        return Repository(folder, Source.of(self.declaration).settings)

    @cached_property
    def lending(self) -> dict[str, str]:
        """Variables with which git reads the project's objects as well."""
        objects = self.project.run("rev-parse", "--path-format=absolute", "--git-path", "objects").text
        return {"GIT_ALTERNATE_OBJECT_DIRECTORIES": objects}

    def read_run(self) -> Run | None:
        """Return the run that waits for a person, or None."""
        try:
            return Run(**json.loads(self._state.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as error:
            raise ToolError(f"{self._state} cannot be read: {error}", "python -m tools mirror sync --abort") from error

    def keep_run(self, run: Run) -> None:
        """Keep the state of a run."""
        replace_file(self._state, json.dumps(asdict(run), indent=1).encode())

    def forget_run(self) -> None:
        """Remove the run with its mails, its working tree and git's record of that."""
        self._state.unlink(missing_ok=True)
        for folder in (self.tree, self.mails, self.folder / "repository/worktrees"):
            remove_folder(folder)

    def clean(self) -> None:
        """Clean up after a killed command; nothing else works here now."""
        if (self.folder / "repository").is_dir():
            Repository(self.folder / "repository").remove_stale_locks()
        index_lock = self.project.git_dir / "index.lock"
        if index_lock.is_file() and index_lock.read_bytes() == _MARKER:
            index_lock.unlink()
        for leftover in self.project.git_dir.glob("mirror-index*"):
            leftover.unlink()
        if not self._state.exists():
            self.forget_run()

    def refuse_changes(self, tree: str | None) -> None:
        """Refuse to write over work in the mirrored folder; `tree` is the one the lock names.

        Raises ToolError: files or index differ from it.
        """
        path = self.declaration.path
        listed = self.project.run(
            "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", path
        ).records
        changed = [record[3:] for record in listed if record[1:2] not in ("", " ")]
        hint = "make a patch of it (`patch new`), git restore it, or --discard"
        if changed:
            more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            raise ToolError(f"{path} has changes that are not committed: {changed[0]}{more}", hint)
        cached = self.mirrored_tree()
        if tree is not None and cached != tree:
            raise ToolError(f"{path} in the index is not the tree that upstream.lock names", hint)
        if tree is None and self.declaration.mirror.is_dir() and any(self.declaration.mirror.iterdir()):
            raise ToolError(f"{path} is not empty, and there is no lock", "empty it, or --discard what is in it")

    def mirrored_tree(self) -> str | None:
        """Return the tree of the mirrored folder in the project's index, or None."""
        place = f"--prefix={self.project.prefix}{self.declaration.path}/"
        written = self.project.run("write-tree", place, check=False)
        return written.text if written.status == 0 else None

    def switch(self, new: NextState) -> None:
        """Record the switch, and make it."""
        self._record(new)
        self._make(new)

    def finish_switch(self) -> None:
        """End a switch that was interrupted."""
        if self._next.exists():
            data = json.loads(self._next.read_text(encoding="utf-8"))
            files = {path: None if text is None else base64.b64decode(text) for path, text in data["files"].items()}
            self._make(NextState(data["title"], data["tree"], files))
            self.say(f"ended the interrupted switch to {data['title']}")

    def undo_switch(self) -> bool:
        """Take an interrupted switch back, by the project's own index; return whether there was one."""
        if not self._next.exists():
            return False
        data = json.loads(self._next.read_text(encoding="utf-8"))
        index = self.project.run("ls-files", "-z").records
        paths = [path for path in (self.declaration.path, *data["files"]) if _holds(index, path)]
        self._remove_new_files(data["tree"])
        self.project.run("restore", "--worktree", "--", *paths)
        for path in data["files"]:
            if path not in paths:
                (self.declaration.root / path).unlink(missing_ok=True)
        self._next.unlink()
        return True

    def _remove_new_files(self, tree: str) -> None:
        """Remove the files of a tree that the index does not have."""
        old = self.mirrored_tree()
        if old:
            words = ("diff-tree", "-r", "-z", "--name-only", "--diff-filter=A", old, tree)
            for path in self.repository.run(*words, env=self.lending).records:
                (self.declaration.mirror / path).unlink(missing_ok=True)

    def _record(self, new: NextState) -> None:
        files = {path: None if data is None else base64.b64encode(data).decode() for path, data in new.files.items()}
        replace_file(self._next, json.dumps({"title": new.title, "tree": new.tree, "files": files}).encode())

    def _make(self, new: NextState) -> None:
        old = self.mirrored_tree()
        self._write_mirror(old, new.tree)
        for path, content in new.files.items():
            target = self.declaration.root / path
            if content is None:
                target.unlink(missing_ok=True)
            elif not target.is_file() or target.is_symlink() or target.read_bytes() != content:
                if target.is_symlink():
                    target.unlink()
                replace_file(target, content)
        self._write_index(new)
        self._next.unlink()

    def _write_mirror(self, old: str | None, new: str) -> None:
        """Write the files of a tree where those of another lie; files in both stay untouched."""
        mirror = self.declaration.mirror
        if mirror.is_symlink():
            mirror.unlink()
        mirror.mkdir(parents=True, exist_ok=True)
        self.index.unlink(missing_ok=True)
        repository = self.repository
        writer = Repository(mirror)
        variables = {
            "GIT_DIR": str(repository.folder),
            "GIT_WORK_TREE": str(mirror),
            "GIT_INDEX_FILE": str(self.index),
            **self.lending,
        }
        if old:
            writer.run("read-tree", old, env=variables)
            writer.run("update-index", "-q", "--refresh", env=variables, check=False)
        writer.run("read-tree", "--reset", "-u", new, env=variables)

    def _store_missing_objects(self, tree: str) -> None:
        """Store those objects of a tree that the project's repository does not have, few of them as single files."""
        words = ("pack-objects", "--quiet", "--revs", "--local", "--stdout")
        pack = self.repository.run(*words, stdin=f"{tree}\n".encode(), env=self.lending).stdout
        few = int.from_bytes(pack[8:12]) < _PACKED_FROM
        self.project.run(*(("unpack-objects", "-q") if few else ("index-pack", "--stdin")), stdin=pack)

    def _write_index(self, new: NextState) -> None:
        """Replace the project's index by one with the new tree and files; it is locked against other gits meanwhile."""
        git_dir, path = self.project.git_dir, self.declaration.path
        index, draft, index_lock = git_dir / "index", git_dir / "mirror-index", git_dir / "index.lock"
        marker = git_dir / "mirror-index.held"
        marker.write_bytes(_MARKER)
        try:
            os.link(marker, index_lock)
        except FileExistsError as error:
            hint = f"end that git, or remove {index_lock}; then run the command again"
            raise ToolError("another git works in this repository", hint) from error
        try:
            if index.exists():
                shutil.copy2(index, draft)  # with its time, by which git knows files it must read
            variables = {"GIT_INDEX_FILE": str(draft)}
            self._store_missing_objects(new.tree)
            self.project.run("rm", "-r", "-f", "--cached", "--quiet", "--ignore-unmatch", "--", path, env=variables)
            self.project.run("read-tree", f"--prefix={self.project.prefix}{path}/", new.tree, env=variables)
            written = [name for name, content in new.files.items() if content is not None]
            deleted = [name for name, content in new.files.items() if content is None]
            self.project.run("add", "--force", "--", *written, env=variables)
            if deleted:
                self.project.run("rm", "-f", "--cached", "--quiet", "--ignore-unmatch", "--", *deleted, env=variables)
            self.project.run("update-index", "-q", "--refresh", env=variables, check=False)
            draft.replace(index)
        finally:
            index_lock.unlink(missing_ok=True)
            marker.unlink(missing_ok=True)


@contextmanager
def at_work(declaration: Declaration, say: Callable[[str], None], *, finish: bool = True) -> Iterator[Work]:
    """Lock the folder once no other command has it, clean up after a killed one, and yield the folder."""
    folder = work_folder(declaration)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    with (folder / "lock").open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another command of the tools that is at work here")
            fcntl.flock(file, fcntl.LOCK_EX)
        with passed_on(file.fileno()):
            work = Work(declaration, say)
            work.clean()
            if finish:
                work.finish_switch()
            yield work


def _holds(index: list[str], path: str) -> bool:
    return any(name == path or name.startswith(f"{path}/") for name in index)
