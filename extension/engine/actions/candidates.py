"""Entries of a run: its stored results with what the ledger knows of their accounts, for a docket."""

from extension.engine.actions.ownership import owner
from extension.engine.actions.planner import JudgedAccount
from extension.store.actions import actions
from extension.store.database.database import Transaction
from extension.store.pool import accounts
from extension.store.records import Cause, NewResult
from extension.store.runs import results

ACTED = frozenset({Cause.RUN, Cause.APPLY, Cause.RELEASE})
"""Causes of actions that carry out what a run found."""
_ALL = 1_000_000


class CandidateReader:
    """What is known of the accounts of a pool, and what has been done about the results of one run; read once."""

    def __init__(self, transaction: Transaction, pool_id: int, run_id: int) -> None:
        self._last = actions.last_applied(transaction, pool_id)
        known = accounts.all_of(transaction, pool_id).values()
        self._managed = frozenset(record.id for record in known if record.managed)
        done = actions.of_run(transaction, run_id)
        self._handled = frozenset(action.account_id for action in done if action.cause in ACTED)

    def entry(self, seq: int, result: NewResult, *, fresh: bool = False) -> JudgedAccount:
        """Put a result with what is known of its account; nothing has been done yet about one that is fresh.

        What anybody did to the account since its probe counts as done about it: what was found then has been answered.
        """
        number = result.account_id
        last = self._last.get(number)
        since = last is not None and last.at > result.at
        handled = not fresh and (since or number in self._handled)
        return JudgedAccount(seq, result, owner(result.enabled, last), number in self._managed, handled)


def entries_of(transaction: Transaction, pool_id: int, run_id: int) -> tuple[CandidateReader, list[JudgedAccount]]:
    """Read the ledger and the results of a run, in the order they landed."""
    ledger = CandidateReader(transaction, pool_id, run_id)
    stored = results.of_run(transaction, run_id, 0, _ALL)
    return ledger, [ledger.entry(result.seq, result) for result in stored]
