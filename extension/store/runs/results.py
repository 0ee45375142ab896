"""Results: one judged probe per account and run, stored once and never changed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, RowMapping, Select, Table, and_, func, insert, select

from extension.reasons.reason import ReasonList
from extension.store.database.database import Transaction
from extension.store.records import AttemptRecord, NewResult, ResultRecord, WindowRecord
from extension.store.schema.dialects import chunks
from extension.store.schema.tables import ACCOUNTS, EVIDENCE, RESULTS

_ADD = insert(RESULTS).returning(RESULTS.c.seq, sort_by_parameter_order=True)
_ADD_EVIDENCE = insert(EVIDENCE).returning(EVIDENCE.c.id, sort_by_parameter_order=True)
_LIGHT = tuple(column.name for column in RESULTS.c if column.name not in {"seq", "evidence_id"})
_HEAVY = tuple(column.name for column in EVIDENCE.c if column.name not in {"id", "run_id", "at"})
_OUTCOME: Final = (
    *("account_source", "family", "enabled", "verdict", "action", "status", "probed_with"),
    *(name for name in _HEAVY if name not in {"attempts", "headers", "preview"}),
)
"""Fields in which a result has to equal the last one of its account to share its evidence."""

WHOLE: Final = RESULTS.join(EVIDENCE, EVIDENCE.c.id == RESULTS.c.evidence_id)
"""Results with their evidence."""
_WHOLE: Final = select(
    RESULTS.c.seq,
    *(RESULTS.c[name] for name in _LIGHT),
    *(EVIDENCE.c[name] for name in _HEAVY),
    EVIDENCE.c.at.label("evidence_at"),
).select_from(WHOLE)


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
    """Store results and return their `seq`, in the order given; a second one of an account in a run is refused.

    A result with the outcome of the last one of its account shares the evidence of that: most results of an inspection
    say what the one before said, and the evidence is most of their bytes.
    """
    if not results:
        return ()
    rows = [_values(result) for result in results]
    shared = _last_evidence(transaction, rows)
    for row in rows:
        row["evidence_id"] = shared.get(row["account_id"])
    fresh = [row for row in rows if row["evidence_id"] is None]
    if fresh:
        for row, number in zip(
            fresh, transaction.execute(_ADD_EVIDENCE, _part(fresh, EVIDENCE)).scalars(), strict=True
        ):
            row["evidence_id"] = number
    return tuple(transaction.execute(_ADD, _part(rows, RESULTS)).scalars())


def _last_evidence(transaction: Transaction, rows: Sequence[Mapping[str, Any]]) -> Mapping[int, int]:
    """Return the evidence of the last result of each account whose outcome is that of its row."""
    outcomes = {row["account_id"]: [row[name] for name in _OUTCOME] for row in rows}
    shared: dict[int, int] = {}
    for chunk in chunks(sorted(outcomes)):
        last = select(func.max(RESULTS.c.seq)).where(RESULTS.c.account_id.in_(chunk)).group_by(RESULTS.c.account_id)
        columns = (RESULTS.c[name] if name in RESULTS.c else EVIDENCE.c[name] for name in _OUTCOME)
        query = select(RESULTS.c.account_id, RESULTS.c.evidence_id, *columns).select_from(WHOLE)
        last_rows = transaction.execute(query.where(RESULTS.c.seq.in_(last)))
        shared |= {account: evidence for account, evidence, *outcome in last_rows if outcome == outcomes[account]}
    return shared


def _part(rows: Sequence[Mapping[str, Any]], table: Table) -> list[dict[str, Any]]:
    return [{column.name: row[column.name] for column in table.c if column.name in row} for row in rows]


def of_run(transaction: Transaction, run_id: int, after: int, limit: int) -> tuple[ResultRecord, ...]:
    """Return at most `limit` results of a run with a greater `seq`, in the order they landed."""
    query = _WHOLE.where(RESULTS.c.run_id == run_id, RESULTS.c.seq > after).order_by(RESULTS.c.seq).limit(limit)
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
    rows = transaction.execute(_WHOLE.where(RESULTS.c.seq.in_(newest(pool_id, *chosen))))
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
    rows = transaction.execute(select(RESULTS.c.account_id, EVIDENCE.c.windows).select_from(WHOLE).where(last))
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
        **{name: getattr(result, name) for name in (*_LIGHT, *_HEAVY) if name not in _COMPOSED},
        "reason": result.reason.written,
        "reasons": result.reason.as_json(),
        "attempts": [asdict(attempt) for attempt in result.attempts],
        "headers": dict(result.headers),
        "revisions": list(result.revisions),
        "windows": [asdict(window) for window in result.windows],
    }


_COMPOSED = frozenset({"reason", "reasons", "attempts", "headers", "revisions", "windows"})


def _record(row: RowMapping) -> ResultRecord:
    values: dict[str, Any] = dict(row)
    attempts = tuple(AttemptRecord(**attempt) for attempt in values.pop("attempts"))
    windows = tuple(WindowRecord(**window) for window in values.pop("windows"))
    reason = ReasonList.stored(values.pop("reasons"), values.pop("reason"))
    return ResultRecord(
        reason=reason, attempts=attempts, revisions=tuple(values.pop("revisions")), windows=windows, **values
    )
