"""Candidates for action: the stored results of a run, each with the ownership of its account and its streak."""

from collections import defaultdict
from collections.abc import Mapping

from extension.engine.actions.ownership import owner
from extension.engine.actions.planner import JudgedAccount
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.streak import Streak, alike, contradicting
from extension.store.actions import actions
from extension.store.database.database import Transaction
from extension.store.pool import accounts
from extension.store.records import ActionOutcome, ActorKind, Cause, NewResult
from extension.store.runs import results, streaks

ACTED = frozenset({Cause.RUN, Cause.APPLY, Cause.RELEASE})
"""Causes of actions that carry out the recommendations of a run."""
_ALL = 1_000_000


class CandidateReader:
    """Ownership of the accounts of a pool and actions on the results of one run, read once."""

    def __init__(self, transaction: Transaction, pool_id: int, run_id: int) -> None:
        self._last = actions.last_applied(transaction, pool_id)
        known = accounts.all_of(transaction, pool_id).values()
        self._managed = frozenset(record.id for record in known if record.managed)
        done = actions.of_run(transaction, run_id)
        # A failed action was not done: after a crash or an outage its recommendation still stands.
        self._handled = frozenset(
            action.account_id for action in done if action.cause in ACTED and action.outcome is not ActionOutcome.FAILED
        )

    def changed_by_person(self, result: NewResult) -> bool:
        """Return whether a person has decided about an account since its probe, beside undo and recommendations."""
        last = self._last.get(result.account_id)
        decided = last is not None and last.at > result.at and last.undoes is None and last.cause not in ACTED
        return decided and last is not None and last.actor_kind is ActorKind.PERSON

    def entry(self, seq: int, result: NewResult, *, fresh: bool = False) -> JudgedAccount:
        """Combine a result with the ownership of its account; a fresh result has no action yet.

        Any action on the account since its probe counts as handling the result, because it answers the finding.
        """
        number = result.account_id
        last = self._last.get(number)
        since = last is not None and last.at > result.at
        handled = not fresh and (since or number in self._handled)
        return JudgedAccount(seq, result, owner(result.enabled, last), number in self._managed, handled)


def entries_of(transaction: Transaction, pool_id: int, run_id: int) -> tuple[CandidateReader, list[JudgedAccount]]:
    """Return the candidates of a run in the order its results were stored, with their reader."""
    ledger = CandidateReader(transaction, pool_id, run_id)
    stored = results.of_run(transaction, run_id, 0, _ALL)
    return ledger, [ledger.entry(result.seq, result) for result in stored]


def streaks_of(transaction: Transaction, run_id: int, found: Mapping[int, Verdict]) -> Mapping[int, Streak]:
    """Return the streaks of accounts, given with what a run found about them."""
    by_verdict: defaultdict[Verdict, list[int]] = defaultdict(list)
    for number, verdict in found.items():
        by_verdict[verdict].append(number)
    known: dict[int, Streak] = {}
    for verdict, numbers in by_verdict.items():
        tokens = [each.value for each in alike(verdict)], [each.value for each in contradicting(verdict)]
        rows = streaks.streaks(transaction, run_id, numbers, *tokens)
        known.update({number: Streak(count, first) for number, (count, first) in rows.items()})
    return known
