"""Results: one judged probe per account and run, stored once and never changed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Select, and_, func, insert, select

from extension.reasons.reason import ReasonList
from extension.store.database.database import Transaction
from extension.store.records import AttemptRecord, NewResult, ResultRecord, WindowRecord
from extension.store.schema.dialects import chunks
from extension.store.schema.tables import ACCOUNTS, RESULTS

_ADD = insert(RESULTS).returning(RESULTS.c.seq, sort_by_parameter_order=True)


@dataclass(frozen=True, slots=True)
class RecentResult:
    """One result of an account without its evidence: run, time (ms UTC), verdict, HTTP status and latency."""

    account_id: int
    run_id: int
    at: int
    verdict: str
    status: int | None
    latency_ms: int | None


@dataclass(frozen=True, slots=True)
class QuotaReset:
    """End of the quota of an account (ms UTC), and the time of the result that names it."""

    account_id: int
    at: int
    resets_at: int


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


def newest(pool_id: int, *conditions: ColumnElement[bool]) -> Select[Any]:
    """Select the `seq` of the last result of each account of a pool that has one.

    One look into the index for each account: there are many more results than accounts.
    """
    last = select(func.max(RESULTS.c.seq)).where(RESULTS.c.account_id == ACCOUNTS.c.id).scalar_subquery()
    return select(last).where(ACCOUNTS.c.pool_id == pool_id, *conditions)


def latest(
    transaction: Transaction, pool_id: int, account_ids: Sequence[int] | None = None
) -> Mapping[int, ResultRecord]:
    """Return the last result of each account that has one, by account: of those named, or of the whole pool."""
    chosen = () if account_ids is None else (ACCOUNTS.c.id.in_(account_ids),)
    rows = transaction.execute(select(RESULTS).where(RESULTS.c.seq.in_(newest(pool_id, *chosen))))
    return {row["account_id"]: _record(row) for row in rows.mappings()}


def recent(
    transaction: Transaction, pool_id: int, account_ids: Sequence[int], limit: int
) -> Mapping[int, tuple[RecentResult, ...]]:
    """Return at most `limit` results of each account that has one, in any run, the newest first."""
    age = func.row_number().over(partition_by=RESULTS.c.account_id, order_by=RESULTS.c.seq.desc()).label("age")
    aged = (
        select(*(RESULTS.c[name] for name in RecentResult.__slots__), age)
        .join(ACCOUNTS, ACCOUNTS.c.id == RESULTS.c.account_id)
        .where(ACCOUNTS.c.pool_id == pool_id, RESULTS.c.account_id.in_(account_ids))
        .subquery()
    )
    query = select(aged).where(aged.c.age <= limit).order_by(aged.c.account_id, aged.c.age)
    results: dict[int, tuple[RecentResult, ...]] = {}
    for *values, _ in transaction.execute(query):
        result = RecentResult(*values)
        results[result.account_id] = (*results.get(result.account_id, ()), result)
    return results


def pending_resets(transaction: Transaction, pool_id: int, verdict: str) -> tuple[QuotaReset, ...]:
    """Return the quota resets that the last results with a verdict name, the earliest first."""
    query = (
        select(RESULTS.c.account_id, RESULTS.c.at, RESULTS.c.resets_at)
        .where(RESULTS.c.verdict == verdict, RESULTS.c.resets_at.is_not(None), RESULTS.c.seq.in_(newest(pool_id)))
        .order_by(RESULTS.c.resets_at)
    )
    return tuple(QuotaReset(*row) for row in transaction.execute(query))


def last_windows(transaction: Transaction, pool_id: int, source: str) -> Mapping[int, tuple[WindowRecord, ...]]:
    """Return the quota windows in the last result of each account of a source that has some."""
    last = RESULTS.c.seq.in_(newest(pool_id, ACCOUNTS.c.source == source))
    rows = transaction.execute(select(RESULTS.c.account_id, RESULTS.c.windows).where(last))
    return {account_id: tuple(WindowRecord(**window) for window in windows) for account_id, windows in rows if windows}


def verdicts_of(transaction: Transaction, account_id: int, limit: int) -> tuple[tuple[str, int], ...]:
    """Return verdict and time (ms UTC) of the newest results of an account in any run, the newest first."""
    query = (
        select(RESULTS.c.verdict, RESULTS.c.at)
        .where(RESULTS.c.account_id == account_id)
        .order_by(RESULTS.c.seq.desc())
        .limit(limit)
    )
    return tuple((verdict, at) for verdict, at in transaction.execute(query))


def streaks(
    transaction: Transaction,
    run_id: int,
    account_ids: Sequence[int],
    alike: Collection[str],
    contradicting: Collection[str],
) -> Mapping[int, tuple[int, int]]:
    """Return, by account, the length of its latest unbroken series of results, and the time (ms UTC) of the first.

    The series ends right before the run. Results with other verdicts than those named neither prolong nor end it.
    """
    series: dict[int, tuple[int, int]] = {}
    for chunk in chunks(account_ids):
        chosen = RESULTS.c.account_id.in_(chunk)
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
        series.update({number: (count, first) for number, count, first in transaction.execute(query)})
    return series


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
