"""Lease of a pool: one run at a time, released by the next start after a crash.

The lease is the run's own row: a run in a state that has not ended holds it for the process named in its `owner`, and
the schema allows one such row a pool. The data folder is held by one service at a time, so an owner that is not this
process is dead, and its run can be taken away the moment the service opens.
"""

import secrets
from typing import Final

from extension.engine.errors import RunActive
from extension.engine.runs.transition import move
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.store.database.database import Transaction
from extension.store.records import RunRecord
from extension.store.run_state import Trigger
from extension.store.runs import runs

_LOST: Final = because(ReasonCode.SERVICE_ENDED)


class Lease:
    """The claim of this process on the one run of a pool."""

    def __init__(self, pool_id: int) -> None:
        self.pool_id = pool_id
        self.owner = secrets.token_hex(16)

    def require_free(self, transaction: Transaction) -> None:
        """Make sure that a run may begin.

        Raises:
            RunActive: another one has not ended.
        """
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
