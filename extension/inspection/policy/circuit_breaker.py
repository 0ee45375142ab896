"""Circuit breaker: failures shared by most probes of a host are not acted on.

Theory of operation. One dead key fails alone; a provider that is down, blocked or overloaded fails for all its keys at
once. Disabling them all would be wrong, and looks like the right thing for each key taken by itself. So a disable that
rests on such a failure goes through only while it is rare among the probes of its host. Two shares are compared with
the threshold (`brakeShare`):

- of all probes of the host so far, for a failure that lasts the whole run;
- of any `width` neighboring probes that include the failure itself, for a provider that goes down or recovers in the
  middle of a run. A share of all probes would see that too late, because the healthy half dilutes it.

Before `brakeMinimum` probes after the failure are in, the action waits; at the end of the run it is decided on the
probes there are. Verdicts of one cause count together (`cause_of`): a host that goes down answers 5xx to one request
and nothing to the next. Failures of the key itself are never put on hold, and answers that are no probe of the host do
not count. The tally keeps the order of the probes for the second share, at one verdict per probe; a window moves in
one pass over at most two widths.
"""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Kind, Verdict
from extension.inspection.evidence.verdict_table import cause_of, of_kind
from extension.inspection.settings import InspectionSettings

KEY_FAILURES = of_kind(Kind.KEY)
"""Verdicts about the key or sign-in itself: never put on hold."""

UNPROBED = of_kind(Kind.NOT_PROBED)
"""Verdicts without an answer of the host: they do not count as its probes."""

WINDOW: Final = 20
"""Least number of neighbouring probes that are looked at together."""


class Braking(StrEnum):
    """Decision of the circuit breaker on one action."""

    GO = "go"
    WAIT = "wait"
    HOLD = "hold"


class HostTally:
    """The probes of one host in the order they landed; grows during a run. Verdicts without an answer do not count."""

    def __init__(self, verdicts: Mapping[Verdict, int] = MappingProxyType({})) -> None:
        self._order: list[Verdict] = []
        self._counts: Counter[Verdict] = Counter()
        for verdict, count in verdicts.items():
            for _ in range(count):
                self.add(verdict)

    def add(self, verdict: Verdict) -> int:
        """Count one more probe and return its place among those of the host."""
        if verdict not in UNPROBED:
            self._order.append(cause_of(verdict))
            self._counts[cause_of(verdict)] += 1
        return self.newest

    @property
    def newest(self) -> int:
        """The place of the newest probe."""
        return len(self._order) - 1

    @property
    def probes(self) -> int:
        """The number of probes that say something about the host."""
        return len(self._order)

    def alike(self, verdict: Verdict) -> int:
        """Return how many probes share the cause of this verdict."""
        return self._counts[cause_of(verdict)]

    def share(self, verdict: Verdict) -> float:
        """Return the share of the probes with this verdict, or one of the same cause, from 0 to 1."""
        return self.alike(verdict) / self.probes if self.probes else 0.0

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


def brake(
    action: Action,
    verdict: Verdict,
    host: HostTally,
    settings: InspectionSettings,
    *,
    run_ended: bool,
    place: int | None = None,
) -> tuple[Braking, str]:
    """Decide whether an action goes, waits for more probes of its host, or is put on hold, with a reason.

    Only disabling is stopped, and only for reasons that are not about the key itself. With the breaker off, everything
    goes. With its ``place`` among the probes of the host known, a failure waits for as many probes after it, and is put
    on hold too when its neighbors failed alike.
    """
    if not settings.brake or action is not Action.DISABLE or verdict in KEY_FAILURES:
        return Braking.GO, ""
    seen = host.probes - (place or 0)
    if seen < settings.brake_minimum and not run_ended:
        return Braking.WAIT, f"Waiting for {settings.brake_minimum} probes of this host, or the end of the run."
    if host.share(verdict) >= settings.brake_share:
        alike = f"{host.alike(verdict)} of {host.probes} probes of this host failed the same way"
        return Braking.HOLD, f"On hold: {alike}; the host is the likely cause."
    width = max(settings.brake_minimum, WINDOW)
    if place is not None and host.worst_around(place, verdict, width) >= settings.brake_share:
        around = f"most of the {width} probes of this host around it failed the same way"
        return Braking.HOLD, f"On hold: {around}; the host is the likely cause."
    return Braking.GO, ""
