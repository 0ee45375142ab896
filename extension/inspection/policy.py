"""Policies: from a verdict to a recommendation for an API-key account."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from extension.inspection.judgement import Judgement
from extension.inspection.settings import DecisionPolicy, InspectionSettings, Leniency
from extension.inspection.verdict import Verdict


class Action(StrEnum):
    """What can be recommended; no verdict about an API key ever yields ``delete``."""

    KEEP = "keep"
    ENABLE = "enable"
    DISABLE = "disable"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An action and its reason in sentences: what was found, then what follows where that is not plain."""

    action: Action
    reason: str


FIRST_PHASE: Mapping[Verdict, Action] = MappingProxyType(
    {
        Verdict.HEALTHY: Action.ENABLE,
        Verdict.DOUBTFUL: Action.KEEP,
        Verdict.UNAUTHORISED: Action.DISABLE,
        Verdict.FORBIDDEN: Action.DISABLE,
        Verdict.QUOTA: Action.DISABLE,
        Verdict.RATE_LIMITED: Action.DISABLE,
        Verdict.REJECTED: Action.DISABLE,
        Verdict.PROVIDER_TROUBLE: Action.DISABLE,
        Verdict.UNREACHABLE: Action.DISABLE,
        Verdict.NO_ADDRESS: Action.KEEP,
        Verdict.NO_PROBE: Action.KEEP,
        Verdict.UNKNOWN: Action.KEEP,
    }
)
"""Which state a verdict calls for under the first-phase policy; ``enable`` means that the account should be enabled."""

CHOICES: Mapping[Verdict, Callable[[InspectionSettings], Leniency]] = MappingProxyType(
    {
        Verdict.QUOTA: lambda settings: settings.on_quota,
        Verdict.RATE_LIMITED: lambda settings: settings.on_quota,
        Verdict.PROVIDER_TROUBLE: lambda settings: settings.on_server_error,
    }
)
"""Where the configurable policy lets the operator choose; everything else is as in the first phase."""


def recommend(
    judgement: Judgement, enabled: bool | None, settings: InspectionSettings, *, may_enable: bool = True
) -> Recommendation:
    """Recommend what to do with an account whose state is ``enabled``; None means the gateway does not tell.

    ``may_enable`` is False where the policy does not allow enabling. What is as it should be is kept.
    """
    wanted = FIRST_PHASE[judgement.verdict]
    choice = CHOICES.get(judgement.verdict)
    if settings.decision_policy is DecisionPolicy.CONFIGURABLE and choice and choice(settings) is Leniency.KEEP:
        return _kept(judgement, "The policy keeps such accounts.")
    if wanted is Action.DISABLE:
        if enabled is False:
            return _kept(judgement, "It is disabled already.")
        return Recommendation(Action.DISABLE, judgement.reason)
    if wanted is Action.ENABLE and enabled is False:
        if may_enable:
            return Recommendation(Action.ENABLE, f"{judgement.reason} It is disabled and could be enabled again.")
        return _kept(judgement, "It is disabled, and may not be enabled from here.")
    return _kept(judgement, "")


def _kept(judgement: Judgement, why: str) -> Recommendation:
    return Recommendation(Action.KEEP, f"{judgement.reason} {why}".strip())
