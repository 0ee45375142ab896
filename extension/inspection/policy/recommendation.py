"""Policies: from a verdict to a recommendation for an account."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import VERDICTS
from extension.inspection.policy.revocation import PastVerdict, is_confirmed
from extension.inspection.probes.judgement import Judgement
from extension.inspection.settings import DecisionPolicy, InspectionSettings, Leniency


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An action and its reason: the finding, then the consequence where it is not plain."""

    action: Action
    reason: str


_AS_IT_IS: Mapping[tuple[Action, bool | None], str] = MappingProxyType(
    {
        (Action.DISABLE, False): "Already disabled.",
        (Action.ENABLE, False): "Disabled, and cannot be enabled from here.",
    }
)
"""Reason to keep an account despite its verdict."""


def recommend(
    judgement: Judgement,
    enabled: bool | None,
    settings: InspectionSettings,
    *,
    may_enable: bool = True,
    history: Iterable[PastVerdict] = (),
    now: int = 0,
) -> Recommendation:
    """Recommend an action for an account whose state is ``enabled``; None means that the gateway does not report it.

    ``may_enable`` is False where the policy does not allow enabling. An account in the wanted state is kept.
    ``history`` holds the earlier verdicts about this account and ``now`` is when this one was found, in integer
    milliseconds UTC: they decide whether a revoked sign-in is certain enough to delete its file, even of a disabled
    account.
    """
    if judgement.verdict is Verdict.REVOKED and settings.account_source is Source.OAUTH and is_confirmed(history, now):
        return Recommendation(
            Action.DELETE,
            f"{judgement.reason} Confirmed by an earlier check, at least ten minutes ago: the file can be deleted.",
        )
    row = VERDICTS[judgement.verdict]
    wanted, choice = row.wanted, row.choice
    if settings.decision_policy is DecisionPolicy.CONFIGURABLE and choice and choice(settings) is Leniency.KEEP:
        return _kept(judgement, "The policy keeps such accounts.")
    if wanted is Action.DISABLE and enabled is not False:
        return Recommendation(Action.DISABLE, judgement.reason)
    if wanted is Action.ENABLE and enabled is False and may_enable:
        return Recommendation(Action.ENABLE, f"{judgement.reason} Disabled, can be enabled again.")
    return _kept(judgement, _AS_IT_IS.get((wanted, enabled), ""))


def _kept(judgement: Judgement, why: str) -> Recommendation:
    return Recommendation(Action.KEEP, f"{judgement.reason} {why}".strip())
