"""History of failures: the earlier runs that found of an account what a run found."""

from collections import defaultdict
from collections.abc import Mapping

from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.streak import Streak, alike, contradicting
from extension.store.database.database import Transaction
from extension.store.runs import streaks


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
