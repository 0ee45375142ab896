"""Transitions of a run in the store, each with its event in one transaction."""

from extension.reasons.reason import NO_REASON, ReasonList
from extension.store import events
from extension.store.database.database import Transaction
from extension.store.records import EventKind, RunRecord
from extension.store.run_state import ENDED, Trigger, moved
from extension.store.runs import runs


def tell(transaction: Transaction, run: RunRecord, now: int) -> None:
    """Append the event that says which state a run is in."""
    reason = {"reason": run.reason.text, "reasons": run.reason.as_json()}
    data = {"run": run.id, "state": run.state.value, "done": run.done, "total": run.total, **reason}
    events.append(transaction, now, EventKind.RUN_STATE, run.id, data)


def move(
    transaction: Transaction, run: RunRecord, trigger: Trigger, *, now: int, owner: str, reason: ReasonList = NO_REASON
) -> RunRecord:
    """Store the state that follows, with its reason and end, and append its event; return the run as it is now.

    Raises:
        InvalidTransition: the trigger means nothing in the run's state; nothing was stored.
    """
    state = moved(run.state, trigger)
    # A clock that was put back never lets a run end before it began.
    ended = max(now, run.started_at) if state in ENDED else None
    runs.set_state(transaction, run.id, state, reason=reason, finished_at=ended, owner=owner)
    after = runs.get(transaction, run.id, run.pool_id)
    if after is None:
        raise LookupError(f"Run {run.id} is gone from the database while it is in use.")
    tell(transaction, after, now)
    return after
