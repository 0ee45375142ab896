"""The brake: what most accounts of a host have in common is hardly the fault of each key."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from extension.inspection.policy import Action
from extension.inspection.settings import InspectionSettings
from extension.inspection.verdict import Verdict

KEY_FAILURES = frozenset({Verdict.UNAUTHORISED, Verdict.FORBIDDEN})
"""Verdicts about the key itself: they are never held."""

UNPROBED = frozenset({Verdict.NO_ADDRESS, Verdict.NO_PROBE, Verdict.UNKNOWN})
"""Verdicts that no answer of the host stands behind: they do not count as probes of it."""


class Braking(StrEnum):
    """What the brake says to one action."""

    GO = "go"
    WAIT = "wait"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class HostTally:
    """How many probes of one host are in, by verdict."""

    verdicts: Mapping[Verdict, int] = field(default_factory=dict)

    @property
    def probes(self) -> int:
        """The number of probes that say something about the host."""
        return sum(count for verdict, count in self.verdicts.items() if verdict not in UNPROBED)

    def share(self, verdict: Verdict) -> float:
        """Return the share of the probes with this verdict, from 0 to 1."""
        return self.verdicts.get(verdict, 0) / self.probes if self.probes else 0.0


def tally(results: Iterable[tuple[str, Verdict]]) -> dict[str, HostTally]:
    """Count the results of a run, pairs of host and verdict, by host."""
    counts: dict[str, Counter[Verdict]] = {}
    for host, verdict in results:
        counts.setdefault(host, Counter())[verdict] += 1
    return {host: HostTally(dict(verdicts)) for host, verdicts in counts.items()}


def brake(
    action: Action, verdict: Verdict, host: HostTally, settings: InspectionSettings, *, run_ended: bool
) -> tuple[Braking, str]:
    """Say whether an action goes, waits for more probes of its host, or is held; with the reason, empty for go.

    Only disabling is braked, and only for reasons that are not about the key itself. Off, everything goes.
    """
    if not settings.brake or action is not Action.DISABLE or verdict in KEY_FAILURES:
        return Braking.GO, ""
    if host.probes < settings.brake_minimum and not run_ended:
        return Braking.WAIT, f"It waits until {settings.brake_minimum} probes of this host are in, or the run ends."
    if host.share(verdict) < settings.brake_share:
        return Braking.GO, ""
    alike = f"{host.verdicts[verdict]} of {host.probes} probes of this host failed alike"
    return Braking.HOLD, f"It is held: {alike}, which is hardly the fault of each key."
