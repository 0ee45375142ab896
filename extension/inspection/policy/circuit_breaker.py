"""Circuit breaker: failures shared by most probes of a host are not acted on.

Theory of operation. One dead key fails alone; a provider that is down, blocked or overloaded fails for all its keys at
once, and answers 503 as well as 401 or 403 to them. Disabling them all would be wrong, and looks like the right thing
for each key taken by itself. So no failure is acted on by itself, whatever its status: a disable or a deletion waits
for `brakeMinimum` later probes of its host, or the end of the run. A refused key goes earlier only if another account
of the same route (base URL and proxy) worked in a request that was sent after the refusal. Then it is on hold

- if the failure can pass by itself (no answer, 5xx, 429), or if no other account is on its route, so that nothing can
  be compared with it: two runs, at least ten minutes apart, have to find the same. A wall, or a relay whose database is
  down, refuses a good key for a moment as it refuses a dead one;
- if no account of its route worked in this run, until three runs over at least 24 hours agree;
- if the share of its failure is `brakeShare` or more among all probes of the host, for a failure that lasts the whole
  run;
- if that is so among any `width` neighboring probes that include it, for a provider that goes down or recovers in the
  middle of a run. A share of all probes would see that too late, because the healthy half dilutes it;
- if it is one of several alike that close the probes of a host with `brakeMinimum` or more: nothing that was sent after
  them has worked, so that they may be the beginning of a failure of all.

Some of them have memory. A refused key goes once an earlier run found the same and another account of the route
worked, in whichever order, because that one is asked again right before the change, or once three runs over at least
24 hours agree; one without another account on its route needs ten minutes between the runs, and a success on its host,
if that has other accounts. On a host with fewer accounts than `brakeMinimum`, where shares say little, any failure goes
that an earlier run found at least ten minutes before.

Verdicts of one cause count together (`cause_of`): a host that goes down answers 5xx to one request and nothing to the
next, and a wall in front of a host shows as blocked to one and as a 403 to the next. Answers that are no probe of the
host do not count. The tally keeps the order of the probes, at one verdict per probe; a window moves in one pass over at
most two widths.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Kind, Verdict
from extension.inspection.evidence.verdict_table import of_kind
from extension.inspection.policy.host_tally import HostTally
from extension.inspection.policy.streak import NO_STREAK, Streak
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import HoldCode
from extension.reasons.reason import HoldReason

KEY_FAILURES = of_kind(Kind.KEY)
"""Verdicts about the key or sign-in itself."""

LASTING = KEY_FAILURES | {Verdict.OUT_OF_QUOTA}
"""Failures that one run is enough for beside an account that works; any other one can pass by itself."""

_STOPPED = frozenset({Action.DISABLE, Action.DELETE})
_SHARED: Final = 2

WINDOW: Final = 20
"""Least number of neighbouring probes that are looked at together."""


class Braking(StrEnum):
    """Decision of the circuit breaker on one action."""

    GO = "go"
    WAIT = "wait"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed probe as the circuit breaker sees it.

    `place` is that among the probes of its host, None where the order is not known. `at` is when its answer came, in
    integer milliseconds UTC. `alone` says that the pool has no other key on its host, None where the run has to tell.
    `streak` are the earlier runs that found the same.
    """

    verdict: Verdict
    route: str = field(default="", kw_only=True)
    place: int | None = field(default=None, kw_only=True)
    at: int = field(default=0, kw_only=True)
    alone: bool | None = field(default=None, kw_only=True)
    streak: Streak = field(default=NO_STREAK, kw_only=True)


Braked = tuple[Braking, HoldReason | None]
"""Decision, with the reason of anything but GO."""

_GO: Final[Braked] = (Braking.GO, None)


def brake(
    action: Action, failure: Failure, host: HostTally, settings: InspectionSettings, *, run_ended: bool
) -> Braked:
    """Decide whether an action goes, waits for more probes of its host, or is put on hold, with a reason.

    Only disabling and deleting are stopped. With the breaker off, everything goes.
    """
    if not settings.brake or action not in _STOPPED:
        return _GO
    alone = failure.alone if failure.alone is not None else run_ended and host.probes <= 1
    if alone and host.probes <= 1:
        reason = None if failure.streak.is_lasting(failure.at) else _first_of_single(failure)
        return _GO if reason is None else (Braking.HOLD, reason)
    if not run_ended and _must_wait(failure, host, settings):
        return Braking.WAIT, HoldReason(HoldCode.AWAITING_PROBES, {"minimum": settings.brake_minimum})
    reason = _without_success(failure, host) or _shared(failure, host, settings) or _unrepeated(failure, host)
    return _GO if reason is None else (Braking.HOLD, reason)


def _unrepeated(failure: Failure, host: HostTally) -> HoldReason | None:
    """Return the reason of a failure that was not seen ten minutes before, unless it lasts beside other accounts."""
    if failure.streak.is_lasting(failure.at):
        return None
    if host.route(failure.route).probes < _SHARED:
        return _first_of_single(failure)
    return None if failure.verdict in LASTING else HoldReason(HoldCode.TEMPORARY)


def _first_of_single(failure: Failure) -> HoldReason:
    return HoldReason(HoldCode.FIRST_REFUSAL if failure.verdict in LASTING else HoldCode.FIRST_FAILURE)


def _must_wait(failure: Failure, host: HostTally, settings: InspectionSettings) -> bool:
    """Return whether more probes of the host have to come in first."""
    later = host.newest - failure.place if failure.place is not None else host.probes
    if later >= settings.brake_minimum:
        return _closing(failure, host, settings) > 0
    worked_after = host.route(failure.route).newest_success >= failure.at
    return not (failure.verdict in KEY_FAILURES and worked_after and host.probes >= settings.brake_minimum)


def _without_success(failure: Failure, host: HostTally) -> HoldReason | None:
    """Return the reason of a route on which nothing works, unless that has lasted."""
    route = host.route(failure.route)
    if route.probes < _SHARED or route.successes or failure.streak.is_settled(failure.at):
        return None
    return HoldReason(HoldCode.NO_SUCCESS, {"probes": route.probes})


def _shared(failure: Failure, host: HostTally, settings: InspectionSettings) -> HoldReason | None:
    """Return the reason of a failure that most probes of the host share, unless an account beside it works again."""
    if _is_released(failure, host, settings):
        return None
    verdict, width = failure.verdict, max(settings.brake_minimum, WINDOW)
    if host.share(verdict) >= settings.brake_share:
        return HoldReason(HoldCode.SHARED_FAILURE, {"alike": host.alike(verdict), "probes": host.probes})
    if failure.place is None:
        return None
    if host.worst_around(failure.place, verdict, width) >= settings.brake_share:
        return HoldReason(HoldCode.FAILURES_AROUND, {"width": width})
    closing = _closing(failure, host, settings)
    return HoldReason(HoldCode.NOTHING_AFTER, {"alike": closing}) if closing else None


def _closing(failure: Failure, host: HostTally, settings: InspectionSettings) -> int:
    """Return how many failures alike close the probes of the host, if this one is among several of them; else 0."""
    if failure.place is None or host.probes < settings.brake_minimum:
        return 0
    count = host.closing(failure.place, failure.verdict)
    return count if count >= _SHARED else 0


def _is_released(failure: Failure, host: HostTally, settings: InspectionSettings) -> bool:
    """Return whether a failure goes although it is shared, because it lasted while its neighbors worked."""
    route = host.route(failure.route)
    if not route.successes:
        compared = route.probes < _SHARED and host.successes > 0 and failure.verdict in KEY_FAILURES
        return failure.streak.is_settled(failure.at) or (compared and failure.streak.is_lasting(failure.at))
    few = host.probes < settings.brake_minimum
    if failure.verdict not in KEY_FAILURES:
        return few and failure.streak.is_lasting(failure.at)
    return failure.streak.was_seen() or failure.streak.is_settled(failure.at)
