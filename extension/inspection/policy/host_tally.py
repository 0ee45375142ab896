"""Tally of the probes of one host, in the order they landed, and of its routes."""

from bisect import bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from extension.inspection.evidence.verdict import Kind, Verdict
from extension.inspection.evidence.verdict_table import cause_of, of_kind

UNPROBED = of_kind(Kind.NOT_PROBED)
"""Verdicts without an answer of the host: they do not count as its probes."""


_Sent = tuple[int, int]
"""Time at which a probe was sent, in integer milliseconds UTC, and its place."""


@dataclass(slots=True)
class RouteTally:
    """The probes of one route: a base URL and the proxy it is called through."""

    probes: int = 0
    successes: int = 0
    newest_success: int = -1
    """Time at which the newest successful request was sent, integer milliseconds UTC."""


class HostTally:
    """The probes of one host in the order they landed; grows during a run. Verdicts without an answer do not count."""

    def __init__(self, verdicts: Mapping[Verdict, int] = MappingProxyType({})) -> None:
        self._order: list[Verdict] = []
        self._sent: list[_Sent] = []
        self._sent_of: defaultdict[Verdict, list[_Sent]] = defaultdict(list)
        self._counts: Counter[Verdict] = Counter()
        self._routes: dict[str, RouteTally] = {}
        for verdict, count in verdicts.items():
            for _ in range(count):
                self.add(verdict)

    def add(self, verdict: Verdict, route: str = "", *, sent_at: int = -1, works: bool | None = None) -> int:
        """Count one more probe and return its place among those of the host.

        `sent_at` is when its counted request was sent. `works` says that the host served the account, which is so for a
        healthy one unless stated.
        """
        if verdict in UNPROBED:
            return self.newest
        self._order.append(cause_of(verdict))
        self._sent.append((sent_at, self.newest))
        insort(self._sent_of[cause_of(verdict)], self._sent[-1])
        self._counts[cause_of(verdict)] += 1
        tally = self._routes.setdefault(route, RouteTally())
        tally.probes += 1
        if verdict is Verdict.HEALTHY if works is None else works:
            tally.successes += 1
            tally.newest_success = max(tally.newest_success, sent_at)
        return self.newest

    @property
    def newest(self) -> int:
        """The place of the newest probe."""
        return len(self._order) - 1

    @property
    def probes(self) -> int:
        """The number of probes that say something about the host."""
        return len(self._order)

    def route(self, route: str) -> RouteTally:
        """Return the probes of one route."""
        return self._routes.get(route) or RouteTally()

    @property
    def successes(self) -> int:
        """The number of probes that worked, on any route."""
        return sum(route.successes for route in self._routes.values())

    def alike(self, verdict: Verdict) -> int:
        """Return how many probes share the cause of this verdict."""
        return self._counts[cause_of(verdict)]

    def share(self, verdict: Verdict) -> float:
        """Return the share of the probes with this verdict, or one of the same cause, from 0 to 1."""
        return self.alike(verdict) / self.probes if self.probes else 0.0

    def closing(self, place: int, verdict: Verdict) -> int:
        """Return how many probes of its cause this one is among that were sent after all others of the host; else 0.

        The order of sending counts, not that of the answers: a wall refuses at once, while those that passed before it
        are still being served. A place below 0 is that of an account before any probe of the host.
        """
        if place < 0:
            return 0
        cause = cause_of(verdict)
        others = (sent[-1] for known, sent in self._sent_of.items() if known is not cause)
        last = max(others, default=(-1, -1))
        alike = self._sent_of.get(cause, [])
        return len(alike) - bisect_right(alike, last) if self._sent[place] > last else 0

    def worst_around(self, place: int, verdict: Verdict, width: int) -> float:
        """Return the largest share of the verdict among any `width` neighbouring probes that include a place."""
        if width >= self.probes:
            return self.share(verdict)
        first, last = max(0, place - width + 1), min(place, self.probes - width)
        failures = [known is cause_of(verdict) for known in self._order[first : last + width]]
        within = most = sum(failures[:width])
        for leaving, entering in zip(failures, failures[width:], strict=False):
            within += entering - leaving
            most = max(most, within)
        return most / width
