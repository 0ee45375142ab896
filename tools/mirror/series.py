"""A series of patches on a new base, by `git am -3` in a working tree of its own.

Theory of operation. One `git am -3` applies as many patches as it can. Where it stops, the run is either kept for a
person, or tried to its end: the stopped patch is settled as if the person had taken its side of each conflict. Patches
behind it then meet the text they were made for, so that one that stops again has a conflict of its own with the
release, and one that only touches the same files waits for the first. Commits are made here and not by `am --continue`,
so that a run can be taken up from its recorded state after a kill at any moment.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .errors import GitError, ToolError
from .report import counted
from .repository import Repository, remove_folder
from .verify import CONFLICT
from .work import Run, Work

_DATE = "2000-01-01T00:00:00Z"
_FIXED = {"GIT_AUTHOR_DATE": _DATE, "GIT_COMMITTER_DATE": _DATE}
_AM = ("am", "-3", "-k", "--keep-cr", "--no-scissors", "--no-gpg-sign", "--committer-date-is-author-date")
_FORMAT = (
    *("format-patch", "--quiet", "--keep-subject", "--zero-commit", "--no-signature", "--full-index", "--binary"),
    *("--no-stat", "--no-renames", "--no-thread", "--no-attach", "--always"),
)
_BLOCK = re.compile(rb"^<{7} [^\n]*\n(.*?)^={7}\n(.*?)^>{7} [^\n]*\n", re.MULTILINE | re.DOTALL)
_TOUCHED = re.compile(rb"^diff --git a/(.+?) b/(.+)$", re.MULTILINE)
_HUNKS = 4
_HUNK_LINES = 30
_WIDTH = 200
_COMMITS = 6


@dataclass(frozen=True)
class ConflictedFile:
    """A file a patch conflicts in: the conflicting parts, as git marks them."""

    path: str
    hunks: tuple[str, ...]


@dataclass(frozen=True)
class Stop:
    """A patch that does not apply.

    Attributes:
        name: the patch.
        files: the conflicts; empty when git found nothing to merge with.
        reason: git's own words.
        commits: commits of the upstream that changed these files, newest first.
    """

    name: str
    files: tuple[ConflictedFile, ...]
    reason: str
    commits: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The stop for people: the files, the upstream's commits, the hunks."""
        lines = [f"{self.name} conflicts in {', '.join(file.path for file in self.files) or self.reason}"]
        lines += [f"  upstream: {commit}" for commit in self.commits]
        for file in self.files:
            for hunk in file.hunks[:_HUNKS]:
                shown = [line[:_WIDTH] + "…" * (len(line) > _WIDTH) for line in hunk.splitlines()]
                lines += [f"  {file.path}:", *(f"    {line}" for line in shown[:_HUNK_LINES])]
                lines += [f"    … {counted(len(shown) - _HUNK_LINES, 'more line')}"] if len(shown) > _HUNK_LINES else []
            more = counted(len(file.hunks) - _HUNKS, "more conflict")
            lines += [f"  … {more} in it"] if len(file.hunks) > _HUNKS else []
        return lines


@dataclass
class Trial:
    """The result of a run that was tried to its end: real stops, and the patches that only come after one."""

    stops: list[Stop] = field(default_factory=list)
    waiting: dict[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> list[str]:
        """The result for people."""
        lines = [line for stop in self.stops for line in stop.lines]
        return lines + [f"{name} waits for {other}" for name, other in self.waiting.items()]


class Series:
    """One run of a series in the working tree of the tools."""

    def __init__(self, work: Work, run: Run) -> None:
        """Take the folder and the state of the run."""
        self._work = work
        self._bare = work.repository
        self.run = run
        self.tree = Repository(work.tree)

    @classmethod
    def begin(cls, work: Work, run: Run, base: str, mails: Mapping[str, bytes]) -> "Series":
        """Make the working tree at a base tree, with the patches beside it."""
        work.forget_run()
        work.mails.mkdir(parents=True)
        for name, content in mails.items():
            _refuse_no_mail(name, content)
            (work.mails / name).write_bytes(content)
        bare = work.repository
        run.base = bare.run("commit-tree", base, "-m", run.tag, env=_FIXED).text
        run.head = run.base
        bare.run("worktree", "add", "--detach", "--quiet", str(work.tree), run.base)
        return cls(work, run)

    def reset(self) -> None:
        """Put the working tree at the head of the run, whatever was in progress."""
        git_dir = self.tree.git_dir
        remove_folder(git_dir / "rebase-apply")
        self.tree.run("reset", "--quiet", "--hard", self.run.head)
        self.tree.run("clean", "-ffdqx")

    def advance(self) -> Stop | None:
        """Apply the patches that are left, and return the first that does not; None when all are applied.

        The conflict is in the working tree then, and its message and author are in the run.
        """
        run = self.run
        pending = run.names[run.position :]
        if not pending:
            return None
        output = self.tree.run(*_AM, *(str(self._work.mails / name) for name in pending), check=False, env=_FIXED)
        applying = self.tree.git_dir / "rebase-apply"
        if output.status != 0 and not applying.is_dir():
            raise GitError(f"git am failed: {output.complaint}")
        done = int((applying / "next").read_text()) - 1 if output.status != 0 else len(pending)
        self._take_note(pending[:done], output.text)
        if output.status == 0:
            return None
        run.stopped = pending[done]
        run.message = (applying / "final-commit").read_text(encoding="utf-8", errors="surrogateescape")
        run.author = _author(applying / "author-script")
        remove_folder(applying)
        return self._stop(output.stderr + output.text)

    def _take_note(self, names: Sequence[str], text: str) -> None:
        """Note for each applied patch whether it was made, merged, or in the release already."""
        run = self.run
        parts = re.split(r"^Applying: .*$", text, flags=re.MULTILINE)[1:]
        for name, part in zip(names, parts, strict=False):
            if "No changes -- Patch already applied." in part:
                run.upstream.append(name)
            else:
                run.made.append(name)
                if "Falling back to patching base and 3-way merge" in part:
                    run.merged.append(name)
        run.position += len(names)
        run.head = self.tree.run("rev-parse", "HEAD").text

    def _stop(self, text: str) -> Stop:
        files, stages = [], self.stages()
        for path in stages:
            place = self._work.tree / path
            content = place.read_bytes() if place.is_file() and not place.is_symlink() else b""
            hunks = tuple(block[0].decode("utf-8", "replace") for block in _BLOCK.finditer(content))
            files.append(ConflictedFile(path, hunks))
        errors = [line for line in text.splitlines() if line.startswith(("error:", "CONFLICT", "fatal:"))]
        return Stop(self.run.stopped, tuple(files), "; ".join(errors) or "it does not apply")

    def stages(self) -> dict[str, set[str]]:
        """Return the paths in conflict, each with the stages git has of it (1 base, 2 release, 3 patch)."""
        stages: dict[str, set[str]] = {}
        for record in self.tree.run("ls-files", "-u", "-z").records:
            head, _, path = record.partition("\t")
            stages.setdefault(path, set()).add(head.split(" ")[2])
        return stages

    def settle(self) -> None:
        """Commit the working tree, as a person left it, as the stopped patch.

        Raises ToolError: conflict markers are left, or nothing is changed.
        """
        run = self.run
        if self.tree.run("rev-parse", "HEAD").text == run.head:
            unsettled = [path for path in self.stages() if _has_markers(self._work.tree / path)]
            # In a copy of the index: a refusal leaves the conflicts for `git checkout --theirs` and `git mergetool`.
            index, draft = self.tree.git_dir / "index", self._work.index
            shutil.copy2(index, draft)  # with its time, by which git knows files it must read
            variables = {"GIT_INDEX_FILE": str(draft)}
            self.tree.run("add", "--all", env=variables)
            words = ("diff", "--cached", "--no-ext-diff", "--no-textconv")
            added = self.tree.run(*words, run.head, env=variables).stdout
            marker = CONFLICT.search(added)
            if unsettled or marker:
                where = unsettled[0] if unsettled else _last_file(added[: marker.start() if marker else 0])
                raise ToolError(
                    f"{run.stopped}: conflict markers are left in {where}", f"settle them in {self.tree.folder}"
                )
            if not added and run.kind == "sync":
                self.leave_out()
                return
            if not added:
                hint = f"change something in {self.tree.folder}, or give it up with `mirror sync --abort`"
                raise ToolError(f"{run.stopped} changes nothing", hint)
            draft.replace(index)
            self._commit(run.message, run.author)
        self._settled()

    def leave_out(self) -> None:
        """Go on without the stopped patch: the release has it already."""
        self.reset()
        self.run.upstream.append(self.run.stopped)
        self.run.position += 1
        self.run.stopped = ""

    def _settled(self) -> None:
        run = self.run
        run.head = self.tree.run("rev-parse", "HEAD").text
        run.made.append(run.stopped)
        run.position = run.names.index(run.stopped) + 1
        run.stopped = ""

    def _commit(self, message: str, author: Sequence[str]) -> None:
        name, address, date = author or ("mirror", "mirror@localhost", _DATE)
        who = {
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": address,
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": _DATE,
        }
        words = ("commit", "--quiet", "--no-verify", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim")
        self.tree.run(*words, "--file=-", stdin=message.encode("utf-8", "surrogateescape"), env=who)

    def try_out(self, first: Stop | None, history: tuple[str, str] | None) -> Trial:
        """Try the run to its end behind a stop, each stop settled by the patch's own side; the run is no good after it.

        `history` is the old and the new commit of the upstream, for the commits that a conflict is with.
        """
        trial, stop = Trial(), first
        blocked: dict[str, str] = {}
        position = self.run.position
        while stop is not None:
            paths = {file.path for file in stop.files} or self.touched(stop.name)
            cause = next((blocked[path] for path in sorted(paths) if path in blocked), None)
            self._note_waiting(trial, self.run.names[position : self.run.position], blocked)
            if cause is not None and not stop.files:
                trial.waiting[stop.name] = cause
            else:
                trial.stops.append(self._with_commits(stop, paths, history))
            for path in paths if stop.files else self.touched(stop.name):
                blocked.setdefault(path, cause or stop.name)
            self._take_its_side(stop)
            position = self.run.position
            stop = self.advance()
        self._note_waiting(trial, self.run.names[position : self.run.position], blocked)
        return trial

    def _note_waiting(self, trial: Trial, names: Iterable[str], blocked: dict[str, str]) -> None:
        """Note the applied patches that touch a file of a stop before them."""
        for name in names:
            touched = self.touched(name)
            cause = next((blocked[path] for path in sorted(touched) if path in blocked), None)
            if cause is not None:
                trial.waiting[name] = cause
                for path in touched:
                    blocked.setdefault(path, cause)

    def _take_its_side(self, stop: Stop) -> None:
        """Commit the stopped patch with its own side of each conflict; one that git cannot merge is left out."""
        if not stop.files:
            self.reset()
            self.run.position += 1
            self.run.stopped = ""
            return
        for path, stages in self.stages().items():
            place = self._work.tree / path
            content = place.read_bytes() if place.is_file() and not place.is_symlink() else b""
            if "3" not in stages:
                self.tree.run("rm", "--quiet", "--cached", "--", path)
                place.unlink(missing_ok=True)
            elif stages == {"1", "2", "3"} and _BLOCK.search(content):
                place.write_bytes(_BLOCK.sub(rb"\2", content))
            else:
                self.tree.run("checkout", "--theirs", "--", path)
        self.tree.run("add", "--all")
        self._commit(self.run.message, self.run.author)
        self._settled()

    def _with_commits(self, stop: Stop, paths: Iterable[str], history: tuple[str, str] | None) -> Stop:
        if history is None:
            return stop
        words = ("log", "--no-merges", "--format=%h %s", f"--max-count={_COMMITS}")
        listed = self._bare.run(*words, f"{history[0]}...{history[1]}", "--", *sorted(paths), check=False)
        return Stop(stop.name, stop.files, stop.reason, tuple(listed.text.splitlines()))

    def touched(self, name: str) -> set[str]:
        """Return the paths a patch names."""
        pairs = _TOUCHED.findall((self._work.mails / name).read_bytes())
        return {path.decode("utf-8", "surrogateescape") for pair in pairs for path in pair}

    def result(self) -> tuple[str, dict[str, bytes]]:
        """Return the tree at the end of the run, and the patch files as `git format-patch` writes them now."""
        return self.tree.run("rev-parse", "HEAD^{tree}").text, self.mails(self.run.base, self.run.made)

    def mails(self, base: str, names: Sequence[str]) -> dict[str, bytes]:
        """Return the commits behind a base as patch files, with these names in order."""
        folder = self._work.folder / "made"
        remove_folder(folder)
        # In the bare repository, so that no attributes of the release change how a difference is shown.
        self._bare.run(*_FORMAT, f"--output-directory={folder}", f"{base}..{self.run.head}")
        files = sorted(folder.glob("*.patch"))
        contents = dict(zip(names, [path.read_bytes() for path in files], strict=True))
        remove_folder(folder)
        return contents


def _refuse_no_mail(name: str, content: bytes) -> None:
    head = content.partition(b"\ndiff --git ")[0]
    if not re.search(rb"^From: ", head, re.MULTILINE) or head == content:
        raise ToolError(
            f"{name} is no patch as `git format-patch` writes it", "it needs From, Subject and `diff --git`"
        )


def _author(script: Path) -> list[str]:
    """Return name, address and date of the author of the mail that `am` stopped at."""
    values = dict(word.partition("=")[::2] for word in shlex.split(script.read_text(encoding="utf-8")))
    return [values[f"GIT_AUTHOR_{key}"] for key in ("NAME", "EMAIL", "DATE")]


def _last_file(difference: bytes) -> str:
    """Return the file that a difference, cut off in the middle, is about at its end."""
    paths = _TOUCHED.findall(difference)
    return os.fsdecode(paths[-1][1]) if paths else "a changed file"


def _has_markers(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and _BLOCK.search(path.read_bytes()) is not None
