"""Plans of changes: the step of each recommendation by strategy, ownership, switches and circuit breaker."""

from dataclasses import dataclass
from enum import StrEnum

from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import Braking, Failure, brake
from extension.inspection.policy.host_tally import HostTally
from extension.inspection.policy.strategy import automatic, is_at_once
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, HoldReason, ReasonList, because


class Owner(StrEnum):
    """Owner of a disabled account, from the action log."""

    PERSON = "person"
    AUTOMATION = "automation"
    UNKNOWN = "unknown"


class Step(StrEnum):
    """Current step of a recommendation."""

    APPLY = "apply"
    AT_THE_END = "at the end"
    WAIT = "wait"
    HOLD = "hold"
    WITHHOLD = "withhold"
    """The strategy would enable the account, but automation neither disabled nor manages it."""
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One result of a run with the ownership of its account.

    ``handled`` says that an action of this account is queued or done in this run; ``managed`` that a person allowed
    automation to enable the account again. ``failure`` is its probe as the circuit breaker sees it; None stands for the
    bare verdict.
    """

    source: Source
    verdict: Verdict
    recommended: Action
    disabled_by: Owner = Owner.UNKNOWN
    managed: bool = False
    handled: bool = False
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """Step of a run for one candidate; ``action`` is None exactly when it is left.

    ``reason`` says why the strategy withholds it, and ``hold`` why the circuit breaker stops it.
    """

    step: Step
    action: Action | None = None
    reason: ReasonList = NO_REASON
    hold: HoldReason | None = None

    @classmethod
    def on_hold(cls, action: Action, reason: HoldReason) -> "Planned":
        """Return the step of an action that is put on hold."""
        return cls(Step.HOLD, action, hold=reason)


def plan(candidate: Candidate, settings: InspectionSettings, host: HostTally, *, run_ended: bool) -> Planned:
    """Decide the automatic action on one account, during the run or at its end.

    A handled account is left, so that nothing is done twice. Automation enables only accounts that it
    disabled or manages. During the run only actions with their switch on are applied; at its end,
    every action of the strategy. The circuit breaker decides last.
    """
    action = automatic(candidate.source, settings.auto_action_mode, candidate.recommended)
    if action is None or candidate.handled:
        return Planned(Step.LEAVE)
    if action is Action.ENABLE and candidate.disabled_by is not Owner.AUTOMATION and not candidate.managed:
        return Planned(Step.WITHHOLD, action, because(ReasonCode.NOT_MANAGED))
    failure = candidate.failure or Failure(candidate.verdict)
    braking, reason = brake(action, failure, host, settings, run_ended=run_ended)
    if braking is Braking.HOLD and reason is not None:
        return Planned.on_hold(action, reason)
    if not run_ended and not is_at_once(action, settings.realtime_auto_actions):
        return Planned(Step.AT_THE_END, action)
    if braking is Braking.WAIT and reason is not None:
        return Planned(Step.WAIT, action, hold=reason)
    return Planned(Step.APPLY, action)
