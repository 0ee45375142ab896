"""Answers of an owner as stored: numbers of what a command made, or the error that refused it.

An outcome is read again from the store by its numbers. An error is made again from its name, text and codes: a caller
in another process answers it as one of its own.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from adapter.port import Capability, GatewayError
from extension.engine.actions.executor import Command
from extension.engine.dispatch.commands import Outcome
from extension.engine.errors import EngineError
from extension.inspection.settings import SettingsError
from extension.reasons.reason import NO_REASON, ReasonList
from extension.store import client_keys
from extension.store.actions import actions, batches
from extension.store.client_keys import KeyActionRecord
from extension.store.database.database import Transaction
from extension.store.errors import DatabaseTrouble, StoreError
from extension.store.records import RunRecord
from extension.store.runs import runs

REFUSALS: Final = (EngineError, SettingsError, GatewayError, StoreError)
"""Errors that refuse a command."""
_PLAIN: Final = (
    *("code", "hint", "field", "required", "plain"),
    *("text", "applied", "retry_after", "until", "parameters", "capability"),
)
"""Attributes of errors that are JSON; the others do not leave the process."""


def outcome_stored(outcome: Outcome) -> dict[str, Any]:
    """Return the numbers of an outcome."""
    match outcome:
        case RunRecord():
            return {"run": outcome.id}
        case KeyActionRecord():
            return {"keyAction": outcome.id}
        case Command():
            batch = None if outcome.batch is None else outcome.batch.id
            return {"batch": batch, "actions": [action.id for action in outcome.actions]}
        case _:
            return {"batch": outcome.id}


def outcome_read(transaction: Transaction, pool_id: int, answer: Mapping[str, Any]) -> Outcome:
    """Return the outcome with these numbers as it is now. Raises `DatabaseTrouble`: it is gone."""
    record: Outcome | None
    if "run" in answer:
        record = runs.get(transaction, answer["run"], pool_id)
    elif "keyAction" in answer:
        record = client_keys.get(transaction, answer["keyAction"])
    elif answer["batch"] is None:
        return Command(None)
    else:
        batch = record = batches.find(transaction, pool_id, answer["batch"])
        if "actions" in answer:
            made = {action.id: action for action in actions.get(transaction, answer["actions"])}
            record = Command(batch, tuple(made[number] for number in answer["actions"] if number in made))
    if record is None:
        raise DatabaseTrouble("The command was carried out, and what it made is gone since.")
    return record


def error_stored(error: Exception) -> dict[str, Any]:
    """Return an error of `REFUSALS` as JSON, without what it was raised from."""
    plain = {name: getattr(error, name) for name in _PLAIN if hasattr(error, name)}
    reasons: ReasonList = getattr(error, "reasons", NO_REASON)
    return {"error": type(error).__name__, "said": str(error), "plain": plain, "reasons": reasons.as_json()}


def error_read(answer: Mapping[str, Any]) -> Exception:
    """Return a stored error as one of its kind, and one of an unknown kind as trouble of the store."""
    kind = _kinds().get(answer["error"], DatabaseTrouble)
    error = kind.__new__(kind)
    Exception.__init__(error, answer["said"])
    for name, value in answer["plain"].items():
        setattr(error, name, Capability(value) if name == "capability" else value)
    if answer["reasons"]:
        error.reasons = ReasonList.stored(answer["reasons"], "")  # type: ignore[attr-defined]  # those that have codes
    return error


def _kinds() -> dict[str, type[Exception]]:
    return {kind.__name__: kind for base in REFUSALS for kind in (base, *_below(base))}


def _below(kind: type[Exception]) -> Iterator[type[Exception]]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)
