"""Outcomes of actions whose writing was not seen to its end, from the pool as it is later; pure."""

from collections.abc import Mapping
from typing import Final

from extension.engine.actions.outcomes import state_of
from extension.engine.actions.ownership import DELETE, DISABLE, RESTORE
from extension.engine.pool.listed_account import ListedAccount
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.actions.actions import Settlement
from extension.store.records import ActionOutcome, ActionRecord

_AFTER_OUTAGE: Final[Mapping[ReasonCode, ReasonCode]] = {
    ReasonCode.FOUND_DELETED: ReasonCode.AFTER_OUTAGE_DELETED,
    ReasonCode.FOUND_NOT_DELETED: ReasonCode.AFTER_OUTAGE_NOT_DELETED,
    ReasonCode.FOUND_RESTORED: ReasonCode.AFTER_OUTAGE_RESTORED,
    ReasonCode.FOUND_NOT_RESTORED: ReasonCode.AFTER_OUTAGE_NOT_RESTORED,
    ReasonCode.FOUND_MISSING: ReasonCode.AFTER_OUTAGE_MISSING,
    ReasonCode.FOUND_WITHOUT_STATE: ReasonCode.AFTER_OUTAGE_WITHOUT_STATE,
    ReasonCode.FOUND_NOT_CHANGED: ReasonCode.AFTER_OUTAGE_NOT_CHANGED,
    ReasonCode.FOUND_ALREADY: ReasonCode.AFTER_OUTAGE_ALREADY,
    ReasonCode.FOUND_CHANGED: ReasonCode.AFTER_OUTAGE_CHANGED,
}
"""Reasons where the database was away instead of the process."""
_FILES: Final = {
    DELETE: {
        False: (ActionOutcome.APPLIED, ReasonCode.FOUND_DELETED),
        True: (ActionOutcome.FAILED, ReasonCode.FOUND_NOT_DELETED),
    },
    RESTORE: {
        False: (ActionOutcome.FAILED, ReasonCode.FOUND_NOT_RESTORED),
        True: (ActionOutcome.APPLIED, ReasonCode.FOUND_RESTORED),
    },
}
"""Outcomes of actions on a file, by whether it is there."""
_WITH_STATE: Final = frozenset({ReasonCode.FOUND_NOT_CHANGED, ReasonCode.FOUND_ALREADY, ReasonCode.FOUND_CHANGED})


def after_a_crash(action: ActionRecord, listed: ListedAccount | None) -> Settlement:
    """Settle an action left pending by a dead process from the pool as it is now; no request is repeated."""
    outcome, code = _found(action, listed)
    return _settlement(action, listed, outcome, code, code in _WITH_STATE)


def after_an_outage(action: ActionRecord, listed: ListedAccount | None) -> Settlement:
    """Settle an action left pending when the database was away, in the same way."""
    outcome, code = _found(action, listed)
    return _settlement(action, listed, outcome, _AFTER_OUTAGE[code], code in _WITH_STATE)


def _settlement(
    action: ActionRecord, listed: ListedAccount | None, outcome: ActionOutcome, code: ReasonCode, with_state: bool
) -> Settlement:
    wanted = "disabled" if action.action == DISABLE else "enabled"
    text = because(code, state=wanted) if with_state else because(code)
    return Settlement(action.id, outcome, text, action.before, state_of(listed))


def _found(action: ActionRecord, listed: ListedAccount | None) -> tuple[ActionOutcome, ReasonCode]:
    if action.action in _FILES:
        return _FILES[action.action][listed is not None]
    if listed is None:
        return ActionOutcome.MISSING, ReasonCode.FOUND_MISSING
    if listed.enabled is None:
        return ActionOutcome.UNCERTAIN, ReasonCode.FOUND_WITHOUT_STATE
    if listed.enabled is (action.action == DISABLE):
        return ActionOutcome.FAILED, ReasonCode.FOUND_NOT_CHANGED
    if action.before.get("enabled") is listed.enabled:
        return ActionOutcome.UNCHANGED, ReasonCode.FOUND_ALREADY
    return ActionOutcome.APPLIED, ReasonCode.FOUND_CHANGED
