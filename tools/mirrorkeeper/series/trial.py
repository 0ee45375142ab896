"""A series tried on a tree as a whole: every patch that stops, not only the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .conflict import PatchStopped, Stop, UpstreamHistory, describe
from .document import PatchDocument
from .paths import touched
from .series import PatchedTree

Edited = Callable[[str, str], str | None]
"""Takes a patch's name and the tree before it; returns the tree a person made for it, or None."""


@dataclass(frozen=True)
class Trial:
    """A patch that stopped.

    Attributes:
        stop: its place in the series, and the reason.
        before: id of the tree it was tried on.
        refreshable: whether `patch refresh` settles it without a person.
        without: earlier patches that touch the same files and were skipped, because they need a person themselves.
    """

    stop: Stop
    before: str
    refreshable: bool
    without: tuple[str, ...] = ()


def not_edited(_name: str, _before: str) -> None:
    """Answer for a series of which no patch is being edited."""


def try_series(patched: PatchedTree, series: Sequence[PatchDocument], edited: Edited = not_edited) -> tuple[Trial, ...]:
    """Apply every patch of the series; return those that stop, in order.

    A patch that applies at another place or by merging goes into the tree for the following ones; a patch that needs
    a person is skipped, and the following ones are tried without it.
    """
    found: list[Trial] = []
    skipped: dict[str, frozenset[str]] = {}
    for at, patch in enumerate(series, 1):
        before = patched.tree
        after = edited(patch.name, before)
        if after is not None:
            patched.set(after)
            continue
        try:
            patched.apply(patch, position=f"{at}/{len(series)} ")
        except PatchStopped as stopped:
            patched.set(before)
            paths = frozenset(touched(patched.git, patch))
            refreshable = _adapts(patched, patch)
            without = tuple(name for name, others in skipped.items() if others & paths)
            found.append(Trial(stopped.stop, before, refreshable, without))
            if not refreshable:
                skipped[patch.name] = paths
    return tuple(found)


def _adapts(patched: PatchedTree, patch: PatchDocument) -> bool:
    before = patched.tree
    try:
        adapted = patched.adapt(patch) != before
    except PatchStopped:
        adapted = False
    if not adapted:
        patched.set(before)
    return adapted


def trial_lines(trials: Sequence[Trial], history: UpstreamHistory) -> Iterator[str]:
    """Yield the screen of all patches that stopped; the first one's own line is the message above it."""
    for trial in trials:
        stop = trial.stop
        if trial is not trials[0]:
            yield f"patch {stop.position}{stop.patch.name}{stop.text}"
        yield from one_trial(trial, history)


def one_trial(trial: Trial, history: UpstreamHistory) -> Iterator[str]:
    """Yield the lines about one patch that stopped, below its own line."""
    history.index.run("read-tree", trial.before)
    if trial.without:
        yield f"tried without {', '.join(trial.without)}, which {_stops(trial.without)} above"
    yield from describe(trial.stop, history)


def _stops(names: Sequence[str]) -> str:
    return "stop" if names[1:] else "stops"
