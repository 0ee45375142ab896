"""Overview of a pool: the last result and the last change of every account, without evidence.

The rows are read column by column: the evidence of ten thousand results takes most of a second to decode. Results are
only ever added, and go with their run, so an overview is brought up to date by the results after its newest; only
after a run was forgotten are all read again.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Result, func, or_, select

from extension.reasons.reason import ReasonList
from extension.store.actions.actions import newest_applied
from extension.store.database.database import Transaction
from extension.store.runs import results
from extension.store.schema.tables import ACCOUNTS, ACTIONS, EVIDENCE, HELD, RESULTS, RUNS


class LastResult(NamedTuple):
    """The last result of an account without its evidence; fields as in `ResultRecord`."""

    seq: int
    run_id: int
    account_id: int
    verdict: str
    action: str
    reason: ReasonList
    status: int | None
    latency_ms: int | None
    at: int
    resets_at: int | None


class LastAction(NamedTuple):
    """The last action that took effect on an account and still says who owns it; fields as in `ActionRecord`."""

    account_id: int
    action: str
    actor_kind: str
    actor: str
    at: int
    reason: ReasonList
    id: int


class AccountFlags(NamedTuple):
    """Flags that people have set of an account."""

    never_probe: bool
    managed: bool
    protected: bool = False


class Overview(NamedTuple):
    """Stored facts of a pool by account; accounts with neither flag are not in `flags`.

    `runs` are the runs that are stored, `newest` is the greatest `seq` of a result, 0 without one.
    """

    results: Mapping[int, LastResult]
    actions: Mapping[int, LastAction]
    flags: Mapping[int, AccountFlags]
    on_hold: frozenset[int]
    runs: frozenset[int]
    newest: int


def overview(transaction: Transaction, pool_id: int, known: Overview | None = None) -> Overview:
    """Read the overview of a pool, with `known`, an earlier one, only what came after it."""
    runs = frozenset(transaction.execute(select(RUNS.c.id).where(RUNS.c.pool_id == pool_id)).scalars())
    if known is not None and known.runs <= runs:
        later = _results_after(transaction, pool_id, known.newest)
        last = {**known.results, **later}
        newest = max((result.seq for result in later.values()), default=known.newest)
    else:
        last = _last(transaction.execute(_LAST.where(RESULTS.c.seq.in_(results.newest(pool_id)))))
        newest = max((result.seq for result in last.values()), default=0)
    return Overview(
        last,
        _actions(transaction, pool_id),
        _flags(transaction, pool_id),
        _on_hold(transaction, pool_id),
        runs,
        newest,
    )


def _results_after(transaction: Transaction, pool_id: int, newest: int) -> dict[int, LastResult]:
    """Return the last results of the accounts that have one after `newest`."""
    rows = transaction.execute(
        _LAST.join(ACCOUNTS, ACCOUNTS.c.id == RESULTS.c.account_id)
        .where(ACCOUNTS.c.pool_id == pool_id, RESULTS.c.seq > newest)
        .order_by(RESULTS.c.seq)
    )
    return _last(rows)


def _last(rows: Result[Any]) -> dict[int, LastResult]:
    """Return the result of each account; `reason` is the text of an earlier version where there are no codes."""
    return {
        account: LastResult(seq, run, account, verdict, action, ReasonList.stored(reasons, reason), *measured)
        for seq, run, account, verdict, action, reason, *measured, reasons in map(tuple, rows.all())
    }


_LAST = select(
    *(RESULTS.c[name] if name in RESULTS.c else EVIDENCE.c[name] for name in LastResult._fields), EVIDENCE.c.reasons
).select_from(results.WHOLE)


def _actions(transaction: Transaction, pool_id: int) -> dict[int, LastAction]:
    columns = [*(ACTIONS.c[name] for name in LastAction._fields), ACTIONS.c.reasons]
    rows = transaction.execute(select(*columns).where(ACTIONS.c.id.in_(newest_applied(pool_id))))
    return {
        account: LastAction(account, action, kind, actor, at, ReasonList.stored(reasons, reason), number)
        for account, action, kind, actor, at, reason, number, reasons in rows.all()
    }


def _flags(transaction: Transaction, pool_id: int) -> dict[int, AccountFlags]:
    flags = ACCOUNTS.c.never_probe, ACCOUNTS.c.managed, ACCOUNTS.c.protected
    query = select(ACCOUNTS.c.id, *flags).where(ACCOUNTS.c.pool_id == pool_id, or_(*flags))
    return {number: AccountFlags(*values) for number, *values in transaction.execute(query)}


def _on_hold(transaction: Transaction, pool_id: int) -> frozenset[int]:
    """Return the accounts whose last result has an action on hold that was not released."""
    query = (
        select(HELD.c.account_id)
        .join(ACCOUNTS, ACCOUNTS.c.id == HELD.c.account_id)
        .where(
            ACCOUNTS.c.pool_id == pool_id,
            HELD.c.released_at.is_(None),
            HELD.c.run_id
            == select(func.max(RESULTS.c.run_id)).where(RESULTS.c.account_id == HELD.c.account_id).scalar_subquery(),
        )
    )
    return frozenset(transaction.execute(query).scalars())
