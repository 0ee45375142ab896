"""Ownership of disabled accounts, and the rules for automation that follow from it; pure."""

from collections.abc import Collection

from extension.engine.actions.own_switches import as_checked
from extension.engine.actions.requests import ActionContext, ResolvedRequest
from extension.engine.pool.disabled_by import disabled_by
from extension.engine.pool.listed_account import ListedAccount
from extension.inspection.policy.plan import Owner
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, ResultRecord

DISABLE = "disable"
ENABLE = "enable"
DELETE = "delete"
RESTORE = "restore"

Objection = tuple[ActionOutcome, ReasonList]
"""Reason not to carry out a request, with its outcome."""


def owner(enabled: bool | None, last: ActionRecord | None) -> Owner:
    """Return the owner of a disabled account; unknown if it is enabled or was not disabled by one of our actions."""
    found = disabled_by(enabled, last)
    return Owner.UNKNOWN if found is None else Owner(found.kind.value)


def objection(
    asked: ResolvedRequest,
    context: ActionContext,
    last: ActionRecord | None,
    newest: ResultRecord | None,
    standing: Collection[int] = (),
) -> Objection | None:
    """Return the reason not to carry out a request now, or None.

    A request that rests on a probe conflicts when the account differs from the probed state, has a newer result, or has
    a newer action of a person: manual actions take precedence. Automation enables only accounts that it disabled or
    manages. `last` is the last action that took effect on the account, `newest` its newest result. An undo conflicts
    with a later action; one of those that are `standing`, because what came after them was undone, can be undone, too.
    """
    order, listed = asked.order, asked.listed
    if listed is None:
        return None
    if order.expect is not None and not as_checked(listed, order.expect, last):
        return ActionOutcome.CONFLICT, because(ReasonCode.CHANGED_SINCE_CHECK)
    if order.undoes is not None and (last is None or order.undoes not in {last.id, *standing}):
        return ActionOutcome.CONFLICT, because(ReasonCode.ENTRIES_CHANGED if last is None else ReasonCode.LATER_ACTION)
    if order.result is not None and newest is not None and newest.seq > order.result:
        return ActionOutcome.CONFLICT, because(ReasonCode.NEWER_RESULT)
    return None if context.kind is ActorKind.PERSON else _objection_to_automation(asked, listed, last)


def _objection_to_automation(
    asked: ResolvedRequest, listed: ListedAccount, last: ActionRecord | None
) -> Objection | None:
    order = asked.order
    acted = last.at if last is not None and last.actor_kind is ActorKind.PERSON else 0
    if order.seen_at is not None and acted > order.seen_at:
        return ActionOutcome.CONFLICT, because(ReasonCode.CHANGED_BY_PERSON)
    if order.action == DELETE and listed.file is None:
        return ActionOutcome.REFUSED, because(ReasonCode.KEYS_NEVER_DELETED)
    ours = owner(listed.enabled, last) is Owner.AUTOMATION or asked.record.managed
    if order.action == ENABLE and listed.enabled is False and not ours:
        return ActionOutcome.REFUSED, because(ReasonCode.NOT_MANAGED)
    return None
