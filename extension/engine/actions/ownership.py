"""Ownership of disabled accounts, and the rules for automation that follow from it; pure.

Theory of operation. A finding holds only while the revision of its account is that of the check. A gateway that makes
the revision of a file from its size and time gives it a new one with every switch, also with one that is undone. So
each action stores the state before it (`origin`) and the revision after it. While the account keeps that revision, all
changes since the check are ours, and its origin is that of our last action. A change from outside ends the chain.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from extension.engine.actions.requests import ActionContext, ResolvedRequest
from extension.engine.pool.listed_account import ListedAccount, disabled_by
from extension.inspection.policy.plan import Owner
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, ResultRecord

REVISION: Final = "revision"
"""Name of the revision that an action left behind, in the state stored after it."""
ORIGIN: Final = "origin"
"""Name of the state before our switches, in the state stored before an action."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Revision and status of an account before any switch of ours that still shows."""

    revision: str
    enabled: bool | None


def origin_of(listed: ListedAccount, last: ActionRecord | None) -> Origin:
    """Return the origin of an account as listed now; `last` is the last action that took effect on it."""
    revision = str(listed.account.revision)
    if last is not None and last.after is not None and last.after.get(REVISION) == revision:
        stored = last.before.get(ORIGIN)
        if stored is not None:
            return Origin(stored[REVISION], stored["enabled"])
    return Origin(revision, listed.enabled)


def as_checked(listed: ListedAccount, expected: tuple[str, ...], last: ActionRecord | None) -> bool:
    """Return whether an account still has the state of a check: its revision, or its origin and enabled state."""
    if expected == listed.revisions:
        return True
    origin = origin_of(listed, last)
    return expected == (origin.revision,) and listed.enabled is origin.enabled


def with_origin(state: Mapping[str, Any], listed: ListedAccount | None, last: ActionRecord | None) -> Mapping[str, Any]:
    """Add the origin to the state stored before an action; an account that is not listed has none."""
    if listed is None:
        return state
    origin = origin_of(listed, last)
    return {**state, ORIGIN: {REVISION: origin.revision, "enabled": origin.enabled}}


def with_revision(state: Mapping[str, Any], listed: ListedAccount | None) -> Mapping[str, Any]:
    """Add the revision to the state stored after an action."""
    return state if listed is None else {**state, REVISION: str(listed.account.revision)}


DISABLE = "disable"
ENABLE = "enable"
DELETE = "delete"
RESTORE = "restore"

Objection = tuple[ActionOutcome, ReasonList]
"""Reason not to carry out a request, with its outcome."""


def owner(enabled: bool | None, last: ActionRecord | None) -> Owner:
    """Return the owner of a disabled account; unknown if it is enabled or was not disabled by one of our actions."""
    attribution = disabled_by(enabled, last)
    return Owner.UNKNOWN if attribution is None else Owner(attribution.kind.value)


def objection(
    request: ResolvedRequest,
    context: ActionContext,
    last: ActionRecord | None,
    newest: ResultRecord | None,
    blocking: Collection[int] = (),
) -> Objection | None:
    """Return the reason not to carry out a request now, or None.

    A request that rests on a probe conflicts when the account differs from the probed state, has a newer result, or has
    a newer action of a person: manual actions take precedence. Automation enables only accounts that it disabled or
    manages. `last` is the last action that took effect on the account, `newest` its newest result. An undo conflicts
    with a later action; one of those that are `standing`, because what came after them was undone, can be undone, too.
    """
    order, listed = request.order, request.listed
    if listed is None:
        return None
    if order.expect is not None and not as_checked(listed, order.expect, last):
        return ActionOutcome.CONFLICT, because(ReasonCode.CHANGED_SINCE_CHECK)
    if order.undoes is not None and (last is None or order.undoes not in {last.id, *blocking}):
        return ActionOutcome.CONFLICT, because(ReasonCode.ENTRIES_CHANGED if last is None else ReasonCode.LATER_ACTION)
    if order.result is not None and newest is not None and newest.seq > order.result:
        return ActionOutcome.CONFLICT, because(ReasonCode.NEWER_RESULT)
    return None if context.kind is ActorKind.PERSON else _objection_to_automation(request, listed, last)


def _objection_to_automation(
    request: ResolvedRequest, listed: ListedAccount, last: ActionRecord | None
) -> Objection | None:
    order = request.order
    acted = last.at if last is not None and last.actor_kind is ActorKind.PERSON else 0
    if order.seen_at is not None and acted > order.seen_at:
        return ActionOutcome.CONFLICT, because(ReasonCode.CHANGED_BY_PERSON)
    if order.action == DELETE and listed.file is None:
        return ActionOutcome.REFUSED, because(ReasonCode.KEYS_NEVER_DELETED)
    ours = owner(listed.enabled, last) is Owner.AUTOMATION or request.record.managed
    if order.action == ENABLE and listed.enabled is False and not ours:
        return ActionOutcome.REFUSED, because(ReasonCode.NOT_MANAGED)
    return None
