"""Transitions of a run in the store, each with its event in one transaction, and the lease of a pool.

The lease is the run's own row: a run in a state that has not ended holds it for the process named in its `owner`, and
the schema allows one such row a pool. The data folder is held by one service at a time, so an owner that is not this
process is dead, and its run can be taken away the moment the service opens.
"""

import secrets
from typing import Final

from extension.engine.errors import RunActive
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.store import events
from extension.store.database.database import Transaction
from extension.store.records import EventKind, RunRecord
from extension.store.run_state import ENDED, Trigger, moved
from extension.store.runs import runs


def tell(transaction: Transaction, run: RunRecord, now: int) -> None:
    """Append the event that says which state a run is in."""
    reason = {"reason": run.reason.text, "reasons": run.reason.as_json()}
    data = {"run": run.id, "state": run.state.value, "done": run.done, "total": run.total, **reason}
    events.append(transaction, now, EventKind.RUN_STATE, run.id, data, pool_id=run.pool_id)


def move(
    transaction: Transaction, run: RunRecord, trigger: Trigger, *, now: int, owner: str, reason: ReasonList = NO_REASON
) -> RunRecord:
    """Store the state that follows, with its reason and end, and append its event; return the run as it is now.

    Raises `InvalidTransition`: the trigger means nothing in the run's state; nothing was stored.
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


_LOST: Final = because(ReasonCode.SERVICE_ENDED)


class Lease:
    """The claim of this process on the one run of a pool."""

    def __init__(self, pool_id: int) -> None:
        self.pool_id = pool_id
        self.owner = secrets.token_hex(16)

    def require_free(self, transaction: Transaction) -> None:
        """Make sure that a run may begin. Raises `RunActive`."""
        active = runs.active(transaction, self.pool_id)
        if active is not None:
            raise RunActive(active.id)

    def take_over_stale(
        self, transaction: Transaction, now: int, *, working_on: int | None, reason: ReasonList = NO_REASON
    ) -> RunRecord | None:
        """End an active run without a worker: interrupted, or stopped where a stop was requested.

        `working_on` is the run this process works on. An active run that is another one belongs to a process that is
        gone, or to work of this one that broke off when the database refused to store its end; `reason` says why, if
        that is known.
        """
        active = runs.active(transaction, self.pool_id)
        if active is None or active.id == working_on:
            return None
        return move(transaction, active, Trigger.LOSE, now=now, owner=self.owner, reason=reason or _LOST)
