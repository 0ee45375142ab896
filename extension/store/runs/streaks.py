"""Streaks: the latest unbroken series of results of an account with one of some verdicts."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from sqlalchemy import and_, func, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import RESULTS

_BATCH: Final = 500


def streaks(
    transaction: Transaction,
    run_id: int,
    account_ids: Sequence[int],
    alike: Collection[str],
    contradicting: Collection[str],
) -> Mapping[int, tuple[int, int]]:
    """Return, by account, the length of the series and the time (ms UTC) of its first result; none where it is empty.

    The series ends right before the run. Results with other verdicts than those named neither prolong nor end it.
    """
    found: dict[int, tuple[int, int]] = {}
    for start in range(0, len(account_ids), _BATCH):
        chosen = RESULTS.c.account_id.in_(account_ids[start : start + _BATCH])
        before = and_(chosen, RESULTS.c.run_id < run_id)
        ended = (
            select(RESULTS.c.account_id, func.max(RESULTS.c.seq).label("seq"))
            .where(before, RESULTS.c.verdict.in_(contradicting))
            .group_by(RESULTS.c.account_id)
            .subquery()
        )
        query = (
            select(RESULTS.c.account_id, func.count(), func.min(RESULTS.c.at))
            .join(ended, ended.c.account_id == RESULTS.c.account_id, isouter=True)
            .where(before, RESULTS.c.verdict.in_(alike), RESULTS.c.seq > func.coalesce(ended.c.seq, 0))
            .group_by(RESULTS.c.account_id)
        )
        found.update({number: (count, first) for number, count, first in transaction.execute(query)})
    return found
