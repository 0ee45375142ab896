"""Outcomes of actions, from the answers of the gateway and the pool read back; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from adapter.port import (
    Applied,
    Before,
    Conflict,
    GatewayError,
    Missing,
    Outcome,
    Refused,
    Uncertain,
    Unchanged,
)
from extension.engine.actions.ownership import DELETE, DISABLE, RESTORE
from extension.engine.pool.listed_account import ListedAccount, name_of
from extension.store.actions.actions import Settlement
from extension.store.records import ActionOutcome, ActionRecord


@dataclass(frozen=True, slots=True)
class Observation:
    """An account as the pool showed it after an action, or None when it was not there."""

    listed: ListedAccount | None


ReadBack: TypeAlias = Observation | None
"""One account as read back; None when the pool could not be read."""

_DONE = {True: "Disabled (verified).", False: "Enabled (verified)."}
ALREADY = {
    True: "Already disabled; nothing was written.",
    False: "Already enabled; nothing was written.",
}
"""Text for an account that is already disabled (True), or enabled."""

EXISTS_AGAIN = "Not restored: a file of this name exists again; nothing was written."
NO_LONGER_THERE = "No longer in the pool; nothing was written."


def state_of(listed: ListedAccount | None) -> Mapping[str, Any]:
    """Return the state of an account as recorded before or after an action; JSON."""
    if listed is None:
        return {"present": False}
    # The gateway's id of an entry looks like a secret to the redaction; its place does not.
    entry = {"name": listed.facts.place or name_of(listed.account.ref), "enabled": listed.enabled}
    return {"present": True, "enabled": listed.enabled, "entries": [entry]}


def told(disabled: bool, outcome: Outcome | GatewayError) -> tuple[ActionOutcome, str]:
    """Return outcome and text for the gateway's answer to one change."""
    match outcome:
        case GatewayError():
            said = failed(outcome)
        case Applied():
            said = ActionOutcome.APPLIED, _DONE[disabled]
        case Unchanged():
            said = ActionOutcome.UNCHANGED, ALREADY[disabled]
        case Refused():
            said = ActionOutcome.REFUSED, outcome.text
        case Conflict():
            said = (
                ActionOutcome.CONFLICT,
                "Skipped: the account has changed; nothing was written. Check it and try again.",
            )
        case Missing():
            # When every candidate name fails, the action counts as failed, not as missing.
            said = ActionOutcome.FAILED, "The gateway knows none of its names; nothing was written."
        case Uncertain():
            said = ActionOutcome.UNCERTAIN, outcome.why
    return said


def failed(error: GatewayError) -> tuple[ActionOutcome, str]:
    """Return the outcome of a verb that raised: uncertain when it may have taken effect all the same."""
    return (ActionOutcome.UNCERTAIN if error.applied == "maybe" else ActionOutcome.FAILED), error.text


def switched(
    action: ActionRecord, disabled: bool, answer: Outcome | GatewayError | None, after: ReadBack
) -> Settlement:
    """Settle a status change from its answer (None: no longer in the pool) and the state read back."""
    if answer is None:
        return Settlement(action.id, ActionOutcome.MISSING, NO_LONGER_THERE, action.before, _recorded(after))
    outcome, text = told(disabled, answer)
    if after is not None:
        outcome, text = _confirmed(outcome, text, disabled, after.listed)
    return Settlement(action.id, outcome, text, _before_writing(answer, action.before), _recorded(after))


def barred(action: ActionRecord, answer: tuple[ActionOutcome, str], after: ReadBack) -> Settlement:
    """Settle an action that was rejected before the write."""
    outcome, text = answer
    return Settlement(action.id, outcome, text, action.before, _recorded(after))


def deleted(action: ActionRecord, answer: tuple[ActionOutcome, str], after: ReadBack) -> Settlement:
    """Settle a deletion from its answer and the state read back."""
    outcome, text = answer
    if after is not None and outcome is ActionOutcome.UNCERTAIN and after.listed is None:
        outcome, text = ActionOutcome.APPLIED, f"Deleted: the file is gone. Before that: {text}"
    return Settlement(action.id, outcome, text, action.before, _recorded(after))


def restored(action: ActionRecord, answer: tuple[ActionOutcome, str], after: ReadBack) -> Settlement:
    """Settle a restoration from its answer and the state read back."""
    outcome, text = answer
    if after is not None and outcome is ActionOutcome.UNCERTAIN and after.listed is not None:
        outcome, text = ActionOutcome.APPLIED, f"Restored: the file is there. Before that: {text}"
    if after is not None and outcome is ActionOutcome.APPLIED and after.listed is None:
        outcome, text = ActionOutcome.UNCERTAIN, "The file was written, but the pool does not show it. Check the file."
    return Settlement(action.id, outcome, text, action.before, _recorded(after))


def _recorded(after: ReadBack) -> Mapping[str, Any] | None:
    return None if after is None else state_of(after.listed)


def _before_writing(answer: Outcome | GatewayError, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the state that the write itself replaced, patterns included, so that the action can be undone."""
    if not isinstance(answer, Applied):
        return known
    found = {
        "enabled": not answer.before.disabled,
        "excludedModels": list(answer.before.excluded_models),
        "switchWritten": answer.before.written,
        "back": answer.before.back,
    }
    return {**known, "written": [found]}


def found_by(action: ActionRecord) -> Before | None:
    """Return the state that an undo of the action restores; None when it is not known.

    Actions of earlier versions may have written several entries. Those that could be divided among the accounts hold
    one state each; the state of an entry in any other one is not known.
    """
    written = action.before.get("written", ())
    if len(written) != 1:
        return None
    (found,) = written
    return Before(
        not found["enabled"], tuple(found["excludedModels"]), found.get("switchWritten"), found.get("back", "")
    )


def _confirmed(
    outcome: ActionOutcome, text: str, disabled: bool, listed: ListedAccount | None
) -> tuple[ActionOutcome, str]:
    """Compare an outcome with the pool as read afterwards."""
    as_asked = listed is not None and listed.enabled is not None and listed.enabled is not disabled
    if outcome is ActionOutcome.UNCERTAIN and as_asked:
        return ActionOutcome.APPLIED, f"{_DONE[disabled]} Before that: {text}"
    if outcome is ActionOutcome.APPLIED and not as_asked:
        return (
            ActionOutcome.UNCERTAIN,
            "The change was written, but the pool does not show it. Check the account.",
        )
    return outcome, text


def after_a_crash(action: ActionRecord, listed: ListedAccount | None) -> Settlement:
    """Settle an action left pending by a dead process from the pool as it is now; no request is repeated."""
    settle = {DELETE: _file_found, RESTORE: _file_restored}.get(action.action, _state_found)
    outcome, text = settle(action, listed)
    return Settlement(action.id, outcome, text, action.before, state_of(listed))


def _file_found(_: ActionRecord, listed: ListedAccount | None) -> tuple[ActionOutcome, str]:
    if listed is None:
        return ActionOutcome.APPLIED, "Deleted: the file was found gone after a restart of the service."
    return ActionOutcome.FAILED, "Not deleted: the service ended before, and the file is still there."


def _file_restored(_: ActionRecord, listed: ListedAccount | None) -> tuple[ActionOutcome, str]:
    if listed is None:
        return ActionOutcome.FAILED, "Not restored: the service ended before, and the file is not there."
    return ActionOutcome.APPLIED, "Restored: the file was found after a restart of the service."


def _state_found(action: ActionRecord, listed: ListedAccount | None) -> tuple[ActionOutcome, str]:
    if listed is None:
        return ActionOutcome.MISSING, "The service ended during the action, and the account is no longer in the pool."
    if listed.enabled is None:
        return ActionOutcome.UNCERTAIN, "The service ended during the action; the gateway reports no state."
    wanted = "disabled" if action.action == DISABLE else "enabled"
    if listed.enabled is (action.action == DISABLE):
        return ActionOutcome.FAILED, f"The service ended during the action: not {wanted}, and not sent again."
    if action.before.get("enabled") is listed.enabled:
        return ActionOutcome.UNCHANGED, f"Already {wanted}, also after a restart of the service."
    return ActionOutcome.APPLIED, f"Found {wanted} after a restart of the service."
