"""Actions that have been undone, and those that still stand.

Theory of operation. The undo of an action brings back the state that the action before it had left. So after the undo
of an enable, the disable before it stands again, and can be undone in its turn: undo in reverse order works back to
the first action. An undo of several actions on one account says so in its reason, which names the first and the last.
An undo is an action, too: once it is undone, what it had taken back counts again. Since only what stands can be undone,
all between an undo and the first action that it names is taken back with it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, select

from extension.reasons.codes import ReasonCode
from extension.store.actions.actions import EDIT, SWITCHES
from extension.store.database.database import Transaction
from extension.store.records import ActionOutcome
from extension.store.schema.dialects import chunks
from extension.store.schema.tables import ACCOUNTS, ACTIONS


def undone(transaction: Transaction, pool_id: int, account_ids: Collection[int] | None = None) -> Mapping[int, int]:
    """Return the actions that an undo took back and no later undo brought back, each with the first of its undo.

    Those of all accounts of a pool, or of some.
    """
    taken_back = _edits(transaction, pool_id)
    if account_ids is None:
        return taken_back | _taken_back(transaction, ACTIONS.c.pool_id == pool_id)
    for chunk in chunks(sorted(set(account_ids))):
        taken_back |= _taken_back(transaction, and_(ACTIONS.c.pool_id == pool_id, ACTIONS.c.account_id.in_(chunk)))
    return taken_back


def _edits(transaction: Transaction, pool_id: int) -> dict[int, int]:
    """Return the edits that were undone: each by itself, as its undo may be of another account by then."""
    is_edit = and_(ACTIONS.c.action == EDIT, ACTIONS.c.outcome == ActionOutcome.APPLIED.value)
    query = select(ACTIONS.c.undoes).where(ACTIONS.c.pool_id == pool_id, is_edit, ACTIONS.c.undoes.is_not(None))
    return {number: number for number in transaction.execute(query).scalars()}


def _taken_back(transaction: Transaction, condition: ColumnElement[bool]) -> dict[int, int]:
    took_effect = and_(ACTIONS.c.outcome == ActionOutcome.APPLIED.value, SWITCHES)
    with_an_undo = select(ACTIONS.c.account_id).where(condition, took_effect, ACTIONS.c.undoes.is_not(None))
    query = (
        select(ACTIONS.c.id, ACTIONS.c.account_id, ACTIONS.c.undoes, ACTIONS.c.reasons)
        .where(condition, took_effect, ACTIONS.c.account_id.in_(with_an_undo))
        .order_by(ACTIONS.c.id)
    )
    rows: defaultdict[int, list[Any]] = defaultdict(list)
    for row in transaction.execute(query):
        rows[row.account_id].append((row.id, row.undoes, row.reasons))
    return {number: first for account_rows in rows.values() for number, first in _ranges(account_rows)}


def _ranges(rows: list[Any]) -> Iterator[tuple[int, int]]:
    """Walk back from the last action: an undo takes back what lies between it and the first action that it names."""
    reach: int | None = None
    for number, undoes, reasons in reversed(rows):
        if reach is not None and number >= reach:
            yield number, reach
        else:
            reach = None if undoes is None else _first(undoes, reasons)


def standing(transaction: Transaction, account_ids: Sequence[int]) -> Mapping[int, frozenset[int]]:
    """Return, by account, the actions that left it in the state of the last action that took effect on it."""
    rows_by_account: defaultdict[int, list[Any]] = defaultdict(list)
    for chunk in chunks(account_ids):
        query = (
            select(ACTIONS.c.id, ACTIONS.c.account_id, ACTIONS.c.undoes, ACTIONS.c.reasons)
            .join(ACCOUNTS, ACCOUNTS.c.id == ACTIONS.c.account_id)
            .where(
                ACTIONS.c.account_id.in_(chunk),
                ACTIONS.c.outcome == ActionOutcome.APPLIED.value,
                SWITCHES,
                ACTIONS.c.id > ACCOUNTS.c.owned_after,
            )
            .order_by(ACTIONS.c.id)
        )
        for row in transaction.execute(query):
            rows_by_account[row.account_id].append((row.id, row.undoes, row.reasons))
    return {number: _standing(rows) for number, rows in rows_by_account.items()}


def _standing(rows: list[Any]) -> frozenset[int]:
    """Walk back from the last action, and from each undo to the action before those that it took back."""
    stand: set[int] = set()
    earlier = rows
    while earlier:
        number, undoes, reasons = earlier[-1]
        stand.add(number)
        if undoes is None:
            break
        first = _first(undoes, reasons)
        earlier = [row for row in earlier if row[0] < first]
    return frozenset(stand)


def _first(undoes: int, reasons: Collection[Mapping[str, Any]]) -> int:
    """Return the first action that an undo took back: the one it names, unless it names several."""
    firsts = [reason["params"]["first"] for reason in reasons if reason["code"] == ReasonCode.REVERTS_SEVERAL]
    return int(firsts[0]) if firsts else undoes
