"""Outcomes of actions, from the answers of the gateway and the pool read back; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

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
from extension.engine.actions.ownership import REVISION, with_revision
from extension.engine.pool.listed_account import ListedAccount, name_of
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.reasons.trouble import trouble_reasons
from extension.store.actions.actions import Settlement
from extension.store.records import ActionOutcome, ActionRecord


@dataclass(frozen=True, slots=True)
class Observation:
    """An account as the pool showed it after an action, or None when it was not there."""

    listed: ListedAccount | None


ReadBack: TypeAlias = Observation | None
"""One account as read back; None when the pool could not be read."""

Settled: TypeAlias = tuple[ActionOutcome, ReasonList]
"""Outcome of an action, with its reasons."""

_DONE = {True: ReasonCode.DISABLED, False: ReasonCode.ENABLED}
_REFUSALS = {
    "ambiguous": ReasonCode.NAME_AMBIGUOUS,
    "section_busy": ReasonCode.SECTION_BUSY,
    "file_not_loaded": ReasonCode.FILE_NOT_LOADED,
    "file_unreadable": ReasonCode.FILE_UNREADABLE,
    "file_unusable": ReasonCode.FILE_UNUSABLE,
}
_QUOTING = {ReasonCode.GATEWAY_UNCERTAIN, ReasonCode.GATEWAY_FAILED}
MOST_QUOTED: Final = 400
"""Most characters of a text of the gateway in a reason."""
ALREADY = {True: ReasonCode.ALREADY_DISABLED, False: ReasonCode.ALREADY_ENABLED}
"""Reason for an account that is already disabled (True), or enabled."""


def state_of(listed: ListedAccount | None) -> Mapping[str, Any]:
    """Return the state of an account as recorded before or after an action; JSON."""
    if listed is None:
        return {"present": False}
    # The gateway's id of an entry looks like a secret to the redaction; its place does not.
    entry = {"name": listed.facts.place or name_of(listed.account.ref), "enabled": listed.enabled}
    return {"present": True, "enabled": listed.enabled, "entries": [entry]}


def told(disabled: bool, outcome: Outcome | GatewayError) -> Settled:
    """Return outcome and reasons for the gateway's answer to one change."""
    match outcome:
        case GatewayError():
            settled = failed(outcome)
        case Applied(twin=twin):
            decided = because(ReasonCode.TWIN_DECIDES, place=twin) if twin else NO_REASON
            settled = ActionOutcome.APPLIED, because(_DONE[disabled]) + decided
        case Unchanged():
            settled = ActionOutcome.UNCHANGED, because(ALREADY[disabled])
        case Refused():
            settled = ActionOutcome.REFUSED, _refusal(outcome)
        case Conflict():
            settled = ActionOutcome.CONFLICT, because(ReasonCode.CHANGED_SINCE_PLAN)
        case Missing():
            # When every candidate name fails, the action counts as failed, not as missing.
            settled = ActionOutcome.FAILED, because(ReasonCode.NAMES_UNKNOWN)
        case Uncertain():
            settled = ActionOutcome.UNCERTAIN, _doubt(outcome)
    return settled


def _refusal(outcome: Refused) -> ReasonList:
    code = _REFUSALS.get(outcome.code) if outcome.parameters else None
    if code is None:
        return because(ReasonCode.GATEWAY_REFUSED, said=outcome.text[:MOST_QUOTED])
    return because(code, **_quoted(outcome.parameters))


def _doubt(outcome: Uncertain) -> ReasonList:
    if not outcome.code:
        return because(ReasonCode.GATEWAY_UNCERTAIN, said=outcome.why[:MOST_QUOTED])
    return because(ReasonCode(outcome.code), **_quoted(outcome.parameters))


def _quoted(parameters: Mapping[str, str | int]) -> dict[str, str | int]:
    return {name: it[:MOST_QUOTED] if isinstance(it, str) else it for name, it in parameters.items()}


def failed(error: GatewayError) -> Settled:
    """Return the outcome of a verb that raised: uncertain when it may have taken effect all the same."""
    return (ActionOutcome.UNCERTAIN if error.applied == "maybe" else ActionOutcome.FAILED), trouble_reasons(error)


def switched(
    action: ActionRecord, disabled: bool, answer: Outcome | GatewayError | None, after: ReadBack
) -> Settlement:
    """Settle a status change from its answer (None: no longer in the pool) and the state read back."""
    if answer is None:
        return Settlement(
            action.id, ActionOutcome.MISSING, because(ReasonCode.ACCOUNT_GONE), action.before, _recorded(after)
        )
    outcome, text = told(disabled, answer)
    if after is not None:
        outcome, text = _confirmed(outcome, text, disabled, after.listed)
    return Settlement(action.id, outcome, text, _before_writing(answer, action.before), _recorded(after))


def barred(action: ActionRecord, answer: Settled, after: ReadBack) -> Settlement:
    """Settle an action that was rejected before the write."""
    outcome, text = answer
    return Settlement(action.id, outcome, text, action.before, _recorded(after))


def deleted(action: ActionRecord, answer: Settled, after: ReadBack) -> Settlement:
    """Settle a deletion from its answer and the state read back."""
    outcome, text = answer
    if after is not None and outcome is ActionOutcome.UNCERTAIN and after.listed is None:
        outcome, text = ActionOutcome.APPLIED, because(ReasonCode.FILE_GONE) + _before_that(text)
    return Settlement(action.id, outcome, text, action.before, _recorded(after))


def restored(action: ActionRecord, answer: Settled, after: ReadBack) -> Settlement:
    """Settle a restoration from its answer and the state read back."""
    outcome, text = answer
    if after is not None and outcome is ActionOutcome.UNCERTAIN and after.listed is not None:
        outcome, text = ActionOutcome.APPLIED, because(ReasonCode.FILE_BACK) + _before_that(text)
    if after is not None and outcome is ActionOutcome.APPLIED and after.listed is None:
        outcome, text = ActionOutcome.UNCERTAIN, because(ReasonCode.FILE_NOT_VISIBLE)
    return Settlement(action.id, outcome, text, action.before, _recorded(after))


def _recorded(after: ReadBack) -> Mapping[str, Any] | None:
    return None if after is None else with_revision(state_of(after.listed), after.listed)


def _before_writing(answer: Outcome | GatewayError, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the state that the write itself replaced, patterns included, so that the action can be undone."""
    if not isinstance(answer, Applied):
        return known
    states = {
        "enabled": not answer.before.disabled,
        "excludedModels": list(answer.before.excluded_models),
        "switchWritten": answer.before.written,
        "back": answer.before.back,
    }
    return {**known, "written": [states]}


def found_by(action: ActionRecord) -> Before | None:
    """Return the state that an undo of the action restores; None when it is not known."""
    written = action.before.get("written", ())
    if len(written) != 1:
        return None
    (state,) = written
    return Before(
        not state["enabled"], tuple(state["excludedModels"]), state.get("switchWritten"), state.get("back", "")
    )


def replaced_by(last: ActionRecord | None, listed: ListedAccount, *, disabled: bool) -> Before | None:
    """Return the state that the last action on an account replaced, where it is the wanted one.

    None when it is another one or not known, or when the account has changed since: what stands there is not ours then.
    """
    if last is None or last.after is None or last.after.get(REVISION) != str(listed.account.revision):
        return None
    before = found_by(last)
    return before if before is not None and before.disabled is disabled else None


def _confirmed(outcome: ActionOutcome, text: ReasonList, disabled: bool, listed: ListedAccount | None) -> Settled:
    """Compare an outcome with the pool as read afterwards."""
    as_asked = listed is not None and listed.enabled is not None and listed.enabled is not disabled
    if outcome is ActionOutcome.UNCERTAIN and as_asked:
        return ActionOutcome.APPLIED, because(_DONE[disabled]) + _before_that(text)
    if outcome is ActionOutcome.APPLIED and not as_asked:
        return ActionOutcome.UNCERTAIN, because(ReasonCode.NOT_VISIBLE)
    return outcome, text


def _before_that(earlier: ReasonList) -> ReasonList:
    """Return the doubts that the pool as read back has disproved; one about a foreign edit still has to be reported."""
    if not set(earlier.codes) & _QUOTING:
        introduction = ReasonCode.BEFORE_THAT if earlier.written else ReasonCode.AT_FIRST
        return because(introduction) + earlier if earlier else NO_REASON
    words = next((reason.parameters["said"] for reason in earlier.items if "said" in reason.parameters), "")
    return because(ReasonCode.GATEWAY_SAID_BEFORE, said=words) if words else NO_REASON
