"""A patch that stopped: why, what the upstream did to its files, and the commands that lead on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ..errors import Paused
from ..git import Git
from .document import PatchDocument

_SHOWN = 5


class Reason(StrEnum):
    """Why a patch stopped."""

    CONFLICT = "does not apply"
    OTHER_FILE = "was made for another file"
    UPSTREAM_HAS_IT = "is upstream already"
    NOTHING = "changes nothing"


@dataclass(frozen=True)
class Stop:
    """A patch that stopped: its file, its place in the series (`2/3 `), why, and a line about it."""

    patch: PatchDocument
    position: str
    reason: Reason
    text: str


class PatchStopped(Paused):
    """A patch of the series needs a person; `stop` says which and why."""

    def __init__(self, stop: Stop, advice: str) -> None:
        """Build the one-line message from the stop."""
        next_lines = ("next:", *(f"  {command}" for command in next_commands(stop)))
        super().__init__(f"patch {stop.position}{stop.patch.name}{stop.text}", advice, next_lines)
        self.stop = stop


def next_commands(stop: Stop) -> tuple[str, ...]:
    """What to type next, in order."""
    name = stop.patch.name.removesuffix(".patch")
    if stop.reason in (Reason.UPSTREAM_HAS_IT, Reason.NOTHING):
        return (f"python -m tools patch drop {name}", "python -m tools mirror sync --continue", _ABORT)
    if stop.reason is Reason.OTHER_FILE:
        return ("python -m tools patch refresh", "python -m tools mirror sync --continue", _ABORT)
    return (
        f"python -m tools patch edit {name}",
        "python -m tools patch refresh",
        "python -m tools mirror sync --continue",
        _ABORT,
    )


_ABORT = "python -m tools mirror sync --abort"


@dataclass(frozen=True)
class History:
    """What the upstream did meanwhile.

    Attributes:
        repository: git on the repository that holds the upstream's history, as much of it as was fetched.
        index: git on the temporary index the patch was to be applied to.
        old: the commit pinned so far, or None.
        new: the commit that was asked for.
    """

    repository: Git
    index: Git
    old: str | None
    new: str

    def commits(self, path: str) -> list[str]:
        """Up to five commits that touched a file since the old pin, newest first."""
        if self.old is None:
            return []
        command = ("log", f"--max-count={_SHOWN}", "--format=%h %s", f"{self.old}..{self.new}", "--", path)
        output = self.repository.run(*command, check=False)
        return output.text.splitlines() if output.status == 0 else []

    def moved(self, path: str) -> str:
        """Where a file was moved to since the old pin; empty when that cannot be seen."""
        if self.old is None:
            return ""
        command = ("diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", self.old, self.new)
        parts = self.repository.run(*command, check=False).stdout.decode("utf-8", "surrogateescape").split("\0")
        return next((after for before, after in zip(parts[1::3], parts[2::3], strict=False) if before == path), "")


def describe(stop: Stop, history: History) -> Iterator[str]:
    """Yield the lines of the conflict screen."""
    yield f"why it is there: {stop.patch.fields['Why']}"
    if "Drop-When" in stop.patch.fields:
        yield f"it may go when: {stop.patch.fields['Drop-When']}"
    for path in touched(history.repository, stop.patch):
        yield from _about(stop, history, path)
    yield "next:"
    for command in next_commands(stop):
        yield f"  {command}"


def touched(repository: Git, patch: PatchDocument) -> tuple[str, ...]:
    """The paths a patch touches, without applying it; none when git cannot read the patch."""
    listed = repository.run("apply", "--numstat", "-z", "-p1", "-", stdin=patch.content, check=False)
    if listed.status != 0:
        return ()
    records = listed.stdout.decode("utf-8", "surrogateescape").split("\0")
    return tuple(record.split("\t", 2)[2] for record in records if record.count("\t") > 1)


def _about(stop: Stop, history: History, path: str) -> Iterator[str]:
    shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

    def fits(*options: str) -> bool:
        command = ("apply", "--cached", "--check", *options, f"--include={path}", "-p1", "-")
        return history.index.run(*command, stdin=stop.patch.content, check=False).status == 0

    if fits("--reverse"):
        yield f"{shown}: the upstream has this part already"
    elif not history.index.run("ls-files", "--cached", "--", path).stdout:
        moved = history.moved(path)
        yield f"{shown}: is not there any more{f'; the upstream renamed it to {moved}' if moved else ''}"
    else:
        yield f"{shown}: {'this part applies' if fits() else 'this part does not apply'}"
    yield from (f"  upstream: {line}" for line in history.commits(path))
