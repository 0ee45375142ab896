"""Policies: from a verdict to a recommendation for an account."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import VERDICTS
from extension.inspection.policy.revocation import PastVerdict, is_confirmed
from extension.inspection.probes.judgement import Judgement
from extension.inspection.settings import DecisionPolicy, InspectionSettings, Leniency
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An action and its reasons: the finding, then the consequence where it is not plain."""

    action: Action
    reason: ReasonList


_FAILED: Final = 500
"""Lowest status of a host that failed."""
_AS_IT_IS: Mapping[tuple[Action, bool | None], ReasonList] = MappingProxyType(
    {
        (Action.DISABLE, False): because(ReasonCode.STAYS_DISABLED),
        (Action.ENABLE, False): because(ReasonCode.CANNOT_BE_ENABLED),
    }
)
"""Reason to keep an account despite its verdict."""


def recommend(
    judgement: Judgement,
    enabled: bool | None,
    settings: InspectionSettings,
    *,
    may_enable: bool = True,
    as_deep: bool = True,
    history: Iterable[PastVerdict] = (),
    now: int = 0,
) -> Recommendation:
    """Recommend an action for an account whose state is ``enabled``; None means that the gateway does not report it.

    ``may_enable`` is False where the policy does not allow enabling. ``as_deep`` is False where the run looks
    less deep than the one on whose finding the account was disabled: a list of models says nothing of a refused chat.
    An account in the wanted state is kept.
    ``history`` holds the earlier verdicts about this account and ``now`` is when this one was found, in integer
    milliseconds UTC: they decide whether a revoked sign-in is certain enough to delete its file, even of a disabled
    account.
    """
    if judgement.verdict is Verdict.REVOKED and settings.account_source is Source.OAUTH and is_confirmed(history, now):
        return Recommendation(Action.DELETE, judgement.reason + because(ReasonCode.REVOKED_TWICE))
    row = VERDICTS[judgement.verdict]
    action, choice = row.action, row.choice
    if settings.decision_policy is DecisionPolicy.CONFIGURABLE and choice and choice(settings) is Leniency.KEEP:
        return _kept(judgement, because(ReasonCode.POLICY_KEEPS))
    if action is Action.DISABLE and enabled is not False and not _is_trouble_of_a_relay(judgement):
        return Recommendation(Action.DISABLE, judgement.reason)
    if action is Action.ENABLE and enabled is False and may_enable:
        if not as_deep:
            return _kept(judgement, because(ReasonCode.DISABLED_BY_CHAT))
        return Recommendation(Action.ENABLE, judgement.reason + because(ReasonCode.CAN_BE_ENABLED))
    return _kept(judgement, _AS_IT_IS.get((action, enabled), NO_REASON))


def _is_trouble_of_a_relay(judgement: Judgement) -> bool:
    """Return whether words told a provider error, not a 5xx: the relay serves, so that no streak is evidence."""
    served = judgement.status is not None and judgement.status < _FAILED
    return served and judgement.verdict is Verdict.PROVIDER_ERROR


def _kept(judgement: Judgement, why: ReasonList) -> Recommendation:
    return Recommendation(Action.KEEP, judgement.reason + why)
