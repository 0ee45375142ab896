"""Outcomes of actions, from the answers of the gateway and the pool read back; pure."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from adapter.port import (
    AccountRef,
    Applied,
    Before,
    Conflict,
    FileRef,
    GatewayError,
    Missing,
    Outcome,
    Refused,
    Uncertain,
    Unchanged,
)
from extension.engine.actions.ownership import DELETE, DISABLE
from extension.engine.pool.credential import Credential
from extension.store.actions.actions import Settlement
from extension.store.records import ActionOutcome, ActionRecord

Answers: TypeAlias = Sequence[tuple[AccountRef, Outcome | GatewayError]]
"""Answers of the gateway for each entry that holds one credential; empty when no entry is left."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A credential as the pool showed it after an action, or None when it was not there."""

    credential: Credential | None


ReadBack: TypeAlias = Observation | None
"""One credential as read back; None when the pool could not be read."""

# The same key in several places has one action: its outcome is the one that needs most attention.
_WORST_FIRST = (
    ActionOutcome.UNCERTAIN,
    ActionOutcome.FAILED,
    ActionOutcome.CONFLICT,
    ActionOutcome.REFUSED,
    ActionOutcome.MISSING,
    ActionOutcome.APPLIED,
    ActionOutcome.UNCHANGED,
)

_DONE = {True: "Disabled (verified).", False: "Enabled (verified)."}
_ALREADY = {
    True: "Already disabled; nothing was written.",
    False: "Already enabled; nothing was written.",
}

NO_LONGER_THERE = "No longer in the pool; nothing was written."


def state_of(credential: Credential | None) -> Mapping[str, Any]:
    """Return the state of an account as recorded before or after an action; JSON."""
    if credential is None:
        return {"present": False}
    entries = [{"name": name_of(member.ref), "enabled": member.enabled} for member in credential.members]
    return {"present": True, "enabled": credential.enabled, "entries": entries}


def name_of(ref: AccountRef) -> str:
    """Return the name of one entry that holds a credential, as recorded with an action."""
    if isinstance(ref, FileRef):
        return ref.name
    return f"{ref.section or 'memory'}:{ref.entry_id}"


def place_of(ref: AccountRef) -> str:
    """Return a mark of one entry that holds a credential: unlike its name it is never redacted as a key."""
    return hashlib.sha256(name_of(ref).encode()).hexdigest()[:16]


def told(disabled: bool, outcome: Outcome | GatewayError) -> tuple[ActionOutcome, str]:
    """Return outcome and text for the gateway's answer to one change."""
    match outcome:
        case GatewayError():
            said = failed(outcome)
        case Applied():
            said = ActionOutcome.APPLIED, _DONE[disabled]
        case Unchanged():
            said = ActionOutcome.UNCHANGED, _ALREADY[disabled]
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


def combined(answers: Sequence[tuple[ActionOutcome, str]]) -> tuple[ActionOutcome, str]:
    """Return one outcome for a credential that is held in one place or several."""
    outcome, text = min(answers, key=lambda answer: _WORST_FIRST.index(answer[0]))
    if len(answers) == 1:
        return outcome, text
    alike = sum(1 for other, _ in answers if other is outcome)
    return outcome, f"{alike} of its {len(answers)} entries: {text}"


def switched(action: ActionRecord, disabled: bool, answers: Answers, after: ReadBack) -> Settlement:
    """Settle a status change of one credential from the answers for its entries and the state read back."""
    if not answers:
        return Settlement(action.id, ActionOutcome.MISSING, NO_LONGER_THERE, action.before, _recorded(after))
    outcome, text = combined([told(disabled, answer) for _, answer in answers])
    if after is not None:
        outcome, text = _confirmed(outcome, text, disabled, _asked(after.credential, [ref for ref, _ in answers]))
    return Settlement(action.id, outcome, text, _before_writing(answers, action.before), _recorded(after))


def barred(action: ActionRecord, answer: tuple[ActionOutcome, str], after: ReadBack) -> Settlement:
    """Settle an action that was rejected before the write."""
    outcome, text = answer
    return Settlement(action.id, outcome, text, action.before, _recorded(after))


def deleted(action: ActionRecord, answer: tuple[ActionOutcome, str], after: ReadBack) -> Settlement:
    """Settle a deletion from its answer and the state read back."""
    outcome, text = answer
    if after is not None and outcome is ActionOutcome.UNCERTAIN and after.credential is None:
        outcome, text = ActionOutcome.APPLIED, f"Deleted: the file is gone. Before that: {text}"
    return Settlement(action.id, outcome, text, action.before, _recorded(after))


def _recorded(after: ReadBack) -> Mapping[str, Any] | None:
    return None if after is None else state_of(after.credential)


def _before_writing(answers: Answers, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the state that the write itself replaced, patterns included, so that the action can be undone."""
    found = [
        {
            "name": name_of(ref),
            "place": place_of(ref),
            "enabled": not answer.before.disabled,
            "excludedModels": list(answer.before.excluded_models),
            "switchWritten": answer.before.written,
            "back": answer.before.back,
        }
        for ref, answer in answers
        if isinstance(answer, Applied)
    ]
    return {**known, "written": found} if found else known


def found_by(action: ActionRecord) -> tuple[tuple[str, Before], ...]:
    """Return the states that an undo of the action restores, by the mark of each entry it changed."""
    return tuple(
        (
            place.get("place", ""),
            Before(
                not place["enabled"],
                tuple(place["excludedModels"]),
                place.get("switchWritten"),
                place.get("back", ""),
            ),
        )
        for place in action.before.get("written", ())
    )


def _asked(credential: Credential | None, refs: Sequence[AccountRef]) -> Credential | None:
    """Return the part of a credential that the change addressed: an undo leaves other entries alone."""
    members = () if credential is None else tuple(member for member in credential.members if member.ref in refs)
    return replace(credential, members=members) if credential is not None and members else credential


def _confirmed(
    outcome: ActionOutcome, text: str, disabled: bool, credential: Credential | None
) -> tuple[ActionOutcome, str]:
    """Compare an outcome with the pool as read afterwards."""
    as_asked = credential is not None and credential.enabled is not None and credential.enabled is not disabled
    if outcome is ActionOutcome.UNCERTAIN and as_asked:
        return ActionOutcome.APPLIED, f"{_DONE[disabled]} Before that: {text}"
    if outcome is ActionOutcome.APPLIED and not as_asked:
        return (
            ActionOutcome.UNCERTAIN,
            "The change was written, but the pool does not show it. Check the account.",
        )
    return outcome, text


def after_a_crash(action: ActionRecord, credential: Credential | None) -> Settlement:
    """Settle an action left pending by a dead process from the pool as it is now; no request is repeated."""
    outcome, text = (_file_found if action.action == DELETE else _state_found)(action, credential)
    return Settlement(action.id, outcome, text, action.before, state_of(credential))


def _file_found(_: ActionRecord, credential: Credential | None) -> tuple[ActionOutcome, str]:
    if credential is None:
        return ActionOutcome.APPLIED, "Deleted: the file was found gone after a restart of the service."
    return ActionOutcome.FAILED, "Not deleted: the service ended before, and the file is still there."


def _state_found(action: ActionRecord, credential: Credential | None) -> tuple[ActionOutcome, str]:
    if credential is None:
        return ActionOutcome.MISSING, "The service ended during the action, and the account is no longer in the pool."
    if credential.enabled is None:
        return ActionOutcome.UNCERTAIN, "The service ended during the action; the gateway reports no state."
    wanted = "disabled" if action.action == DISABLE else "enabled"
    if credential.enabled is (action.action == DISABLE):
        return ActionOutcome.FAILED, f"The service ended during the action: not {wanted}, and not sent again."
    if action.before.get("enabled") is credential.enabled:
        return ActionOutcome.UNCHANGED, f"Already {wanted}, also after a restart of the service."
    return ActionOutcome.APPLIED, f"Found {wanted} after a restart of the service."
