"""A patch that stopped: its reason, the upstream's changes to its files, the hunks that still apply."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby

from ..errors import Paused
from ..git.command import Git
from .document import PatchDocument
from .left_lines import left_line
from .moved_code import MovedCode, said
from .paths import parts
from .sections import Hunk, PatchSection

_SHOWN = 5
_OFFSET = re.compile(r"Hunk #1 succeeded at \d+ \(offset (-?\d+) lines?\)")


class StopReason(StrEnum):
    """Reason for a patch to stop."""

    CONFLICT = "does not apply"
    OTHER_FILE = "was made for another file"
    UPSTREAM_HAS_IT = "is upstream already"
    NOTHING = "changes nothing"


@dataclass(frozen=True)
class Stop:
    """A patch that stopped: its file, its place in the series (`2/3 `), why, and a line about it."""

    patch: PatchDocument
    position: str
    reason: StopReason
    text: str


class PatchStopped(Paused):
    """A patch of the series needs a person; `stop` says which and why."""

    def __init__(self, stop: Stop, advice: str = "nothing was changed", details: Sequence[str] = ()) -> None:
        """Build the one-line message from the stop."""
        super().__init__(f"patch {stop.position}{stop.patch.name}{stop.text}", advice, details)
        self.stop = stop


@dataclass(frozen=True)
class UpstreamHistory:
    """Find the upstream's changes since the pin.

    Attributes:
        repository: git on the repository that holds the upstream's history, as much of it as was fetched.
        index: git on the temporary index the patch was to be applied to.
        old: the commit pinned so far, or None.
        new: the commit that was asked for.
        mirrored: id of the tree that is mirrored now, when the objects beside `index` hold it; else empty.
        subfolder: the upstream folder that paths are below; empty for its top.
    """

    repository: Git
    index: Git
    old: str | None
    new: str
    mirrored: str = ""
    subfolder: str = ""

    def commits(self, path: str) -> list[str]:
        """Up to five commits that touched a file since the old pin, newest first."""
        if self.old is None:
            return []
        command = ("log", f"--max-count={_SHOWN}", "--format=%h %s", f"{self.old}..{self.new}", "--", self._whole(path))
        output = self.repository.run(*command, check=False)
        return output.text.splitlines() if output.status == 0 else []

    def moved(self, path: str) -> str:
        """Return the new path of a file moved since the old pin; empty when that cannot be seen.

        When the old commit is gone upstream, the mirrored tree tells as well.
        """
        if self._trees is None:
            return ""
        command = ("diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", *self._trees[1:])
        output = self._trees[0].run(*command, check=False)
        names = output.stdout.decode("utf-8", "surrogateescape").split("\0")
        return next((new for old, new in zip(names[1::3], names[2::3], strict=False) if old == path), "")

    @cached_property
    def moved_code(self) -> MovedCode | None:
        """Finder of code that moved to another file since the old pin; None when that cannot be seen."""
        return MovedCode(*self._trees) if self._trees else None

    @cached_property
    def _trees(self) -> tuple[Git, str, str] | None:
        """The trees before and after, and git on the repository that has both; None when they are not at hand."""
        if self.old is None:
            return None
        at = f":{self.subfolder}" if self.subfolder else "^{tree}"
        names = (self.old + at, self.new + at)
        if self.repository.run("rev-parse", "--verify", "--quiet", names[0], check=False).status == 0:
            return (self.repository, *names)
        return (self.index, self.mirrored, self.index.run("write-tree").text) if self.mirrored else None

    def _whole(self, path: str) -> str:
        return f"{self.subfolder}/{path}" if self.subfolder else path


def reasons(patch: PatchDocument) -> Iterator[str]:
    """Yield why a patch is there and when it may go."""
    yield f"why it is there: {patch.fields['Why']}"
    if "Drop-When" in patch.fields:
        yield f"it may go when: {patch.fields['Drop-When']}"


def describe(stop: Stop, history: UpstreamHistory) -> Iterator[str]:
    """Yield the lines of the conflict screen, but for the commands that lead on."""
    yield from reasons(stop.patch)
    for path, section in parts(history.repository, stop.patch):
        yield from _about(section, history, path)


def _about(section: PatchSection, history: UpstreamHistory, path: str) -> Iterator[str]:
    shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    whole = _state(history.index, section.content)
    if whole == _UPSTREAM:
        left = left_line(history.index, path, section)
        has_it = "the upstream has this part already"
        yield f"{shown}: {f'the upstream moved lines that it removes: {left}' if left else has_it}"
    elif not history.index.run("ls-files", "--cached", "--", path).stdout:
        moved = history.moved(path)
        yield f"{shown}: is not there any more{f'; the upstream renamed it to {moved}' if moved else ''}"
        if not moved:
            yield from _moved(history, path, section.hunks)
    else:
        states = [(_state(history.index, hunk.content), hunk) for hunk in section.hunks]
        alike = {state for state, _ in states}
        if len(alike) == 1:
            yield f"{shown}: this part {alike.pop()}"
        else:
            yield f"{shown}: this part {'applies' if whole.startswith('applies') else _FAILS}"
            yield from (f"  {_where(hunks)}: {state}" for state, hunks in groupby(states, key=lambda one: one[0]))
        yield from _moved(history, path, [hunk for state, hunk in states if state == _FAILS])
    yield from (f"  upstream: {line}" for line in history.commits(path))


def _moved(history: UpstreamHistory, path: str, hunks: Iterable[Hunk]) -> Iterator[str]:
    if history.moved_code is None:
        return
    for hunk in hunks:
        text = said(history.moved_code.places(path, hunk))
        if text:
            yield f"  {hunk.lines}: {text}"


_UPSTREAM = "is upstream already"
_FAILS = "does not apply"


def _where(states: Iterator[tuple[str, Hunk]]) -> str:
    return ", ".join(hunk.lines for _, hunk in states)


def _state(index: Git, content: bytes) -> str:
    """Describe in words whether a part of a patch applies to the files."""

    def tried(*options: str) -> tuple[bool, str]:
        command = ("apply", "--cached", "--check", "--verbose", *options, "-p1", "-")
        output = index.run(*command, stdin=content, check=False)
        return output.status == 0, output.stderr

    if tried("--reverse")[0]:
        return _UPSTREAM
    fits, said = tried()
    if not fits:
        return _FAILS
    offset = _OFFSET.search(said)
    if offset is None:
        return "applies"
    count = abs(int(offset[1]))
    return (
        f"applies, {count} {'line' if count == 1 else 'lines'} {'further down' if int(offset[1]) > 0 else 'higher up'}"
    )
