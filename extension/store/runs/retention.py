"""Retention: how much of the past is kept."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.sql.elements import ColumnElement

from extension.store.database.database import Transaction
from extension.store.run_state import RunState
from extension.store.schema.dialects import byte_length
from extension.store.schema.tables import (
    ACCOUNTS,
    ACTIONS,
    ACTIVE_STATES,
    BATCHES,
    EVENTS,
    EVIDENCE,
    HELD,
    RESULTS,
    RUN_ACCOUNTS,
    RUNS,
)

_MOST_AT_ONCE: Final = 1_000
_FINAL: Final = (RunState.FINISHED.value, RunState.STOPPED.value)
"""States in which a run gets no further result; an interrupted or failed one may be resumed."""
_ROW_BYTES: Final = 120  # numbers, tokens and index entries of one result
_TEXTS: Final = ("display_name", "provider", "base_url", "reason", "attempts", "preview", "headers", "windows")


def prune(transaction: Transaction, pool_id: int, keep: int, keep_bytes: int | None = None) -> tuple[int, ...]:
    """Forget the runs of a pool beyond its newest `keep` or its share of `keep_bytes`, and return their numbers.

    `keep_bytes` are of the installation, and the share of a pool is that of its accounts among all. Results and events
    go with their run. The newest ended run always stays, and so does a run that has not ended. Actions stay, with the
    evidence they were written down with; they only lose the number of their run.
    """
    share = None if keep_bytes is None else round(keep_bytes * _share(transaction, pool_id))
    numbers = _beyond(transaction, pool_id, keep, share)
    if not numbers:
        return ()
    for table in (ACTIONS, BATCHES):
        transaction.execute(update(table).where(table.c.run_id.in_(numbers)).values(run_id=None))
    _forget_evidence(transaction, numbers)
    for table in (HELD, EVENTS, RESULTS, RUN_ACCOUNTS):
        transaction.execute(delete(table).where(table.c.run_id.in_(numbers)))
    transaction.execute(delete(RUNS).where(RUNS.c.id.in_(numbers)))
    oldest = transaction.execute(select(func.min(RUNS.c.started_at)).where(RUNS.c.pool_id == pool_id)).scalar()
    if oldest is not None:
        of_pool = or_(EVENTS.c.pool_id == pool_id, EVENTS.c.pool_id.is_(None))
        transaction.execute(delete(EVENTS).where(of_pool, EVENTS.c.run_id.is_(None), EVENTS.c.at < oldest))
    return numbers


def _share(transaction: Transaction, pool_id: int) -> float:
    """Return the part of all stored accounts that a pool has."""
    own = func.count().filter(ACCOUNTS.c.pool_id == pool_id)
    of_pool, of_all = transaction.execute(select(own, func.count()).select_from(ACCOUNTS)).one()
    return of_pool / of_all if of_all else 1.0


def _forget_evidence(transaction: Transaction, numbers: Sequence[int]) -> None:
    """Forget the evidence that no result of another run shares: the next result of the account tells."""
    gone, later = RESULTS.alias("gone"), RESULTS.alias("later")
    following = (
        select(later.c.evidence_id)
        .where(later.c.account_id == gone.c.account_id, later.c.seq > gone.c.seq, later.c.run_id.not_in(numbers))
        .order_by(later.c.seq)
        .limit(1)
        .scalar_subquery()
    )
    before = (
        select(later.c.evidence_id)
        .where(later.c.account_id == gone.c.account_id, later.c.seq < gone.c.seq, later.c.run_id.not_in(numbers))
        .order_by(later.c.seq.desc())
        .limit(1)
        .scalar_subquery()
    )
    alone = select(gone.c.evidence_id).where(
        gone.c.run_id.in_(numbers),
        func.coalesce(following, 0) != gone.c.evidence_id,
        func.coalesce(before, 0) != gone.c.evidence_id,
    )
    transaction.execute(delete(EVIDENCE).where(EVIDENCE.c.id.in_(alone)))


def _beyond(transaction: Transaction, pool_id: int, keep: int, keep_bytes: int | None) -> tuple[int, ...]:
    query = (
        select(RUNS.c.id)
        .where(RUNS.c.pool_id == pool_id, RUNS.c.state.not_in(ACTIVE_STATES))
        .order_by(RUNS.c.id.desc())
    )
    newest = transaction.execute(query.limit(keep)).scalars().all()
    older = transaction.execute(query.offset(keep).limit(_MOST_AT_ONCE)).scalars().all()
    heavy = () if keep_bytes is None else _heavy(transaction, newest, keep_bytes)
    return (*heavy, *older)[:_MOST_AT_ONCE]


def _heavy(transaction: Transaction, newest: Sequence[int], keep_bytes: int) -> tuple[int, ...]:
    """Return the runs whose results no longer fit, given the newest first."""
    sizes = _sizes(transaction, newest)
    total = 0
    for place, number in enumerate(newest):
        total += sizes[number]
        if total > keep_bytes and place > 0:
            return tuple(newest[place:])
    return ()


def _sizes(transaction: Transaction, numbers: Sequence[int]) -> dict[int, int]:
    """Return the bytes of results of each run; a run in a final state is measured once."""
    rows = transaction.execute(select(RUNS.c.id, RUNS.c.state, RUNS.c.stored_bytes).where(RUNS.c.id.in_(numbers)))
    sizes: dict[int, int] = {}
    for number, state, known in rows.all():
        sizes[number] = known if known is not None else _measured(transaction, number)
        if known is None and state in _FINAL:
            transaction.execute(update(RUNS).where(RUNS.c.id == number).values(stored_bytes=sizes[number]))
    return sizes


def _measured(transaction: Transaction, run_id: int) -> int:
    texts = sum((_bytes(name) for name in _TEXTS), start=_bytes("revisions"))
    rows = transaction.execute(select(func.count()).where(RESULTS.c.run_id == run_id)).scalar_one()
    content = transaction.execute(select(func.sum(texts)).where(EVIDENCE.c.run_id == run_id)).scalar_one()
    return int(rows) * _ROW_BYTES + int(content or 0)


def _bytes(name: str) -> ColumnElement[int]:
    return func.coalesce(byte_length(EVIDENCE.c[name]), 0)
