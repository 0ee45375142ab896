"""Lines that a hunk changes or stands on, found in other files of a release.

Only files that the release added or changed are read, and only places count that the files did not have before. Lines
are compared without the blanks at their ends: code that moves into a class is indented anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from ..git.command import Git
from .line_groups import is_distinctive, without_blank_ends
from .sections import Hunk

_FILES = 2_000
_BYTES = 1_000_000
_TOTAL = 50 * _BYTES
_SHOWN = 5


class FoundLine(NamedTuple):
    """A file and the number of a line in it."""

    path: str
    line: int

    def __str__(self) -> str:
        """The place for people."""
        return f"{self.path.encode('utf-8', 'surrogateescape').decode('utf-8', 'backslashreplace')}:{self.line}"


class _Pair(NamedTuple):
    """A file that the release added (no blob before) or changed."""

    path: str
    before: str
    after: str


@dataclass(frozen=True)
class MovedCode:
    """Take two trees, before and after a release, that `git` can read."""

    git: Git
    before: str
    after: str

    def places(self, path: str, hunk: Hunk) -> tuple[FoundLine, ...]:
        """Return the places of a hunk's lines in other files; none when they only stand in `path` itself.

        All lines of the hunk are looked for first, then the ones it changes, then the ones it stands on. Once they
        are found, a place in `path` itself is named as well: they were copied.
        """
        for lines in _candidates(hunk):
            found = [place for pair in self._pairs if pair.path != path for place in self._new(pair, lines)]
            if found:
                left = [place for pair in self._pairs if pair.path == path for place in _stand(self._text(pair), lines)]
                return (*left, *found)
        return ()

    def _new(self, pair: _Pair, lines: Sequence[bytes]) -> list[FoundLine]:
        """Return the places in a file, unless it had as many before the release."""
        found = _stand(self._text(pair), lines)
        if (
            found
            and pair.before
            and len(_stand((pair.path, self._blobs([pair.before]).get(pair.before, ())), lines)) >= len(found)
        ):
            return []
        return found

    def _text(self, pair: _Pair) -> tuple[str, tuple[bytes, ...]]:
        return pair.path, self._texts.get(pair.after, ())

    @cached_property
    def _pairs(self) -> tuple[_Pair, ...]:
        command = ("diff-tree", "-r", "-z", "--no-renames", "--full-index", "--diff-filter=AM", self.before, self.after)
        output = self.git.run(*command, check=False)
        parts = output.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1] if output.status == 0 else []
        pairs = []
        for header, path in zip(parts[::2], parts[1::2], strict=True):
            _, mode, before, after, _ = header.split(" ")
            if mode.startswith("100"):
                pairs.append(_Pair(path, before if before.strip("0") else "", after))
        return tuple(pairs[:_FILES])

    @cached_property
    def _texts(self) -> Mapping[str, tuple[bytes, ...]]:
        """Lines by blob id; files that are large or hold a zero byte are left out."""
        listed = self.git.run("cat-file", "--batch-check", stdin=_lines(pair.after for pair in self._pairs)).text
        chosen, room = [], _TOTAL
        for oid, _, size in (line.split(" ") for line in dict.fromkeys(listed.splitlines()) if line.count(" ") > 1):
            if int(size) <= min(_BYTES, room):
                chosen.append(oid)
                room -= int(size)
        return self._blobs(chosen)

    def _blobs(self, oids: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        output, at, found = self.git.run("cat-file", "--batch", stdin=_lines(oids)).stdout, 0, {}
        while at < len(output):
            header = output[at : output.index(b"\n", at)]
            begin = at + len(header) + 1
            if header.endswith(b" missing"):
                at = begin
                continue
            oid, _, size = header.decode().split(" ")
            at = begin + int(size) + 1
            content = output[begin : at - 1]
            found[oid] = () if b"\0" in content else tuple(line.strip() for line in content.split(b"\n"))
        return found


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()


def said(places: Sequence[FoundLine]) -> str:
    """Return a clause about the places of a hunk's lines; empty when there are none."""
    if not places:
        return ""
    if len(places) == 1:
        return f"the upstream moved its lines to {places[0]}"
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"its lines now stand at {len(places)} places: {', '.join(map(str, places[:_SHOWN]))}{more}"


def _candidates(hunk: Hunk) -> Iterator[tuple[bytes, ...]]:
    """Yield groups of lines that the hunk takes for granted, the most telling first."""
    _, _, body = hunk.content.partition(b"\n@@ ")
    old = [line for line in body.split(b"\n")[1:] if line[:1] in (b" ", b"-")]
    runs = [(sign, list(run)) for sign, run in _by_sign(body)]
    removed, context = ([run for sign, run in runs if sign == wanted] for wanted in (b"-", b" "))
    kept = [run for run in sorted(context, key=len, reverse=True) if len(run) > 1]
    for run in (old, *removed, *kept):
        lines = without_blank_ends([line[1:].strip() for line in run])
        if is_distinctive(lines):
            yield lines


def _by_sign(body: bytes) -> Iterator[tuple[bytes, Iterator[bytes]]]:
    return groupby((line for line in body.split(b"\n")[1:] if line), key=lambda line: line[:1])


def _stand(file: tuple[str, Sequence[bytes]], wanted: Sequence[bytes]) -> list[FoundLine]:
    path, lines = file
    if not wanted or len(wanted) > len(lines):
        return []
    first, count = wanted[0], len(wanted)
    starts = (at for at, line in enumerate(lines) if line == first)
    return [FoundLine(path, at + 1) for at in starts if tuple(lines[at : at + count]) == tuple(wanted)]
