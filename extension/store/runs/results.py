"""Results: one judged probe per account and run, stored once and never changed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import RowMapping, func, insert, select

from extension.reasons.reason import ReasonList
from extension.store.database.database import Transaction
from extension.store.records import AttemptRecord, NewResult, ResultRecord, WindowRecord
from extension.store.schema.tables import ACCOUNTS, RESULTS

_ADD = insert(RESULTS).returning(RESULTS.c.seq, sort_by_parameter_order=True)


def add(transaction: Transaction, results: Sequence[NewResult]) -> tuple[int, ...]:
    """Store results and return their `seq`, in the order given; a second one of an account in a run is refused."""
    if not results:
        return ()
    return tuple(transaction.execute(_ADD, [_values(result) for result in results]).scalars())


def of_run(transaction: Transaction, run_id: int, after: int, limit: int) -> tuple[ResultRecord, ...]:
    """Return at most `limit` results of a run with a greater `seq`, in the order they landed."""
    query = (
        select(RESULTS).where(RESULTS.c.run_id == run_id, RESULTS.c.seq > after).order_by(RESULTS.c.seq).limit(limit)
    )
    return tuple(_record(row) for row in transaction.execute(query).mappings())


def latest(
    transaction: Transaction, pool_id: int, account_ids: Sequence[int] | None = None
) -> Mapping[int, ResultRecord]:
    """Return the last result of each account that has one, by account: of those named, or of the whole pool."""
    # One look into the index for each account: there are many more results than accounts.
    last = select(func.max(RESULTS.c.seq)).where(RESULTS.c.account_id == ACCOUNTS.c.id).scalar_subquery()
    newest = select(last).where(ACCOUNTS.c.pool_id == pool_id)
    if account_ids is not None:
        newest = newest.where(ACCOUNTS.c.id.in_(account_ids))
    rows = transaction.execute(select(RESULTS).where(RESULTS.c.seq.in_(newest)))
    return {row["account_id"]: _record(row) for row in rows.mappings()}


def verdicts_of(transaction: Transaction, account_id: int, limit: int) -> tuple[tuple[str, int], ...]:
    """Return verdict and time (ms UTC) of the newest results of an account in any run, the newest first."""
    query = (
        select(RESULTS.c.verdict, RESULTS.c.at)
        .where(RESULTS.c.account_id == account_id)
        .order_by(RESULTS.c.seq.desc())
        .limit(limit)
    )
    return tuple((verdict, at) for verdict, at in transaction.execute(query))


def _values(result: NewResult) -> dict[str, Any]:
    return {
        **{name: getattr(result, name) for name in _PLAIN},
        "reason": result.reason.written,
        "reasons": result.reason.as_json(),
        "attempts": [asdict(attempt) for attempt in result.attempts],
        "headers": dict(result.headers),
        "revisions": list(result.revisions),
        "windows": [asdict(window) for window in result.windows],
    }


_COMPOSED = frozenset({"reason", "reasons", "attempts", "headers", "revisions", "windows"})
_PLAIN = tuple(column.name for column in RESULTS.c if column.name not in {"seq", *_COMPOSED})


def _record(row: RowMapping) -> ResultRecord:
    values: dict[str, Any] = dict(row)
    attempts = tuple(AttemptRecord(**attempt) for attempt in values.pop("attempts"))
    windows = tuple(WindowRecord(**window) for window in values.pop("windows"))
    reason = ReasonList.stored(values.pop("reasons"), values.pop("reason"))
    return ResultRecord(
        reason=reason, attempts=attempts, revisions=tuple(values.pop("revisions")), windows=windows, **values
    )
