"""The ledger: who disabled what, as far as our own actions tell, and what follows from it; pure."""

from extension.engine.actions.requests import ActionContext, ResolvedRequest
from extension.engine.pool.credential import Credential
from extension.engine.pool.disabled_by import disabled_by
from extension.inspection.policy.plan import Owner
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, ResultRecord

DISABLE = "disable"
ENABLE = "enable"
DELETE = "delete"

Objection = tuple[ActionOutcome, str]
"""Why an order is not carried out: the outcome it gets, and its words."""

_CHANGED = "It changed since its probe, and nothing was written. Inspect it again."
_STALE = "A newer probe of it has landed since, and nothing was written. Look at the newest run."
_ACTED_SINCE = "Something else was done to it since, and nothing was written. Look at its actions."
_PERSON = "A person has acted on it since its probe, and nothing was written."
_NOT_OURS = "It was not automation that disabled it, and nobody handed it over; nothing was written."
_KEYS_STAY = "API keys are never deleted; nothing was written."


def owner(enabled: bool | None, last: ActionRecord | None) -> Owner:
    """Say who a disabled account belongs to; unknown where it is not disabled, or was not disabled by us."""
    found = disabled_by(enabled, last)
    return Owner.UNKNOWN if found is None else Owner(found.kind.value)


def objection(
    asked: ResolvedRequest, context: ActionContext, last: ActionRecord | None, newest: ResultRecord | None
) -> Objection | None:
    """Say why an order may not be carried out now, or None when it may.

    What rests on a probe is a conflict when the account is not as the probe saw it, when a newer probe has landed, or
    when a person has acted since: a person outranks automation. Automation enables only what automation disabled, or
    what was handed over. `last` is the last action that took effect on the account, `newest` its newest result.
    """
    order, credential = asked.order, asked.credential
    if credential is None:
        return None
    if order.expect is not None and order.expect != credential.revisions:
        return ActionOutcome.CONFLICT, _CHANGED
    if order.undoes is not None and (last is None or last.id != order.undoes):
        return ActionOutcome.CONFLICT, _ACTED_SINCE
    if order.result is not None and newest is not None and newest.seq > order.result:
        return ActionOutcome.CONFLICT, _STALE
    return None if context.kind is ActorKind.PERSON else _objection_to_automation(asked, credential, last)


def _objection_to_automation(
    asked: ResolvedRequest, credential: Credential, last: ActionRecord | None
) -> Objection | None:
    order = asked.order
    acted = last.at if last is not None and last.actor_kind is ActorKind.PERSON else 0
    if order.seen_at is not None and acted > order.seen_at:
        return ActionOutcome.CONFLICT, _PERSON
    if order.action == DELETE and not credential.files:
        return ActionOutcome.REFUSED, _KEYS_STAY
    ours = owner(credential.enabled, last) is Owner.AUTOMATION or asked.record.managed
    if order.action == ENABLE and credential.enabled is False and not ours:
        return ActionOutcome.REFUSED, _NOT_OURS
    return None
