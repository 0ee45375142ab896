"""Coverage of a gateway's records: up to when they are complete, and where some may be missing. Pure."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from adapter.port import UsageState
from extension.store.usage.records import CollectorState

_NOT_COLLECTING: Final = frozenset({"", "none"})
"""Sources of a collector that had nothing to collect."""

_UNKNOWN_WAIT: Final = 60.0
"""Seconds that records may have waited for the first look at a queue of our own process."""


class GapKind(StrEnum):
    """Causes of a gap."""

    STOPPED = "stopped"
    """The service did not run, or was killed."""
    DISCONNECTED = "disconnected"
    """The subscription broke: the network, a restart of the gateway, or a subscriber that was too slow."""
    UNREACHABLE = "unreachable"
    """The gateway did not answer; its queue is memory, and gone after a restart."""
    EXPIRED = "expired"
    """Records waited in the queue for longer than the gateway keeps them."""
    UNRECORDED = "unrecorded"
    """The gateway counted more requests than it made records of, or another program took some."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Time in which records may be missing; `missing` is how many the gateway counted, None where it does not."""

    start: int
    end: int
    kind: GapKind
    missing: int | None = None


def merged(broken: Gap | None, expired: Gap) -> tuple[Gap | None, Gap | None]:
    """Return the gap of a break and that of the queue as one with the known cause; a count keeps them apart."""
    if broken is None or expired.missing is not None:
        return broken, expired
    return replace(broken, start=min(broken.start, expired.start), end=max(broken.end, expired.end)), None


def absence(before: CollectorState, state: UsageState, now: int) -> Gap | None:
    """Return the gap that the time without a collector leaves; None where the queue has kept everything.

    A clean end gave the records to the queue, which keeps them for its retention. Any other end may have lost what was
    on its way.
    """
    if before.source in _NOT_COLLECTING:
        return None
    if not before.clean:
        # A clock that was set back may be behind the stored time: the gap is shown all the same.
        return Gap(min(before.covered_until, now), now, GapKind.STOPPED)
    if before.covered_until >= now or state.retention is None:
        return None
    oldest = now - round(state.retention * 1000)
    return Gap(before.covered_until, oldest, GapKind.STOPPED) if before.covered_until < oldest else None


def first_coverage(state: UsageState, now: int) -> "Coverage":
    """Return the coverage before the first records of a pool are taken: what waits may be older than now."""
    waited = _UNKNOWN_WAIT if state.retention is None else state.retention
    return Coverage(now - round(waited * 1000))


class Coverage:
    """Time up to which records are complete, and the gap that began there, if one has."""

    def __init__(self, covered_until: int) -> None:
        self.until = covered_until
        self._broken: GapKind | None = None

    @property
    def broken(self) -> bool:
        """Return whether records may be missing from `until` on."""
        return self._broken is not None

    def broke(self, kind: GapKind) -> None:
        """Note that from here on records may be missing, until `resumed`; the first cause counts."""
        self._broken = self._broken or kind

    def reached(self, at: int) -> int:
        """Return the time up to which records are complete after a read; a gap that is open keeps its beginning."""
        return at if self._broken is None else self.until

    def resumed(self, at: int) -> Gap | None:
        """Note that records are complete from a time on; return the gap that ends there."""
        if self._broken is None:
            return None
        gap = Gap(min(self.until, at), at, self._broken)
        self._broken = None
        return gap
