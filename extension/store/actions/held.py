"""Actions on hold: changes that the circuit breaker stopped, until they are released."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, or_, select, update

from extension.store.actions.undone import standing
from extension.store.database.database import Transaction
from extension.store.records import ActionOutcome, Cause, HeldRecord
from extension.store.schema.dialects import chunks
from extension.store.schema.tables import ACCOUNTS, ACTIONS, HELD, RESULTS


@dataclass(frozen=True, slots=True)
class NewHold:
    """Action to be put on hold; see `HeldRecord` for the meaning of each field."""

    account_id: int
    action: str
    host: str
    code: str
    params: Mapping[str, int] = field(default_factory=dict)


def replace(transaction: Transaction, run_id: int, holds: Sequence[NewHold], now: int) -> None:
    """Replace the stored actions on hold of a run; those of earlier runs on its accounts are nothing to release now."""
    transaction.execute(delete(HELD).where(HELD.c.run_id == run_id))
    if holds:
        rows = [
            {**{name: getattr(hold, name) for name in NewHold.__slots__}, "run_id": run_id, "reason": "", "at": now}
            for hold in holds
        ]
        transaction.execute(insert(HELD), rows)
    checked = select(RESULTS.c.account_id).where(RESULTS.c.run_id == run_id)
    earlier = and_(HELD.c.run_id < run_id, HELD.c.released_at.is_(None), HELD.c.account_id.in_(checked))
    transaction.execute(update(HELD).where(earlier).values(released_at=now))


def of_run(transaction: Transaction, run_id: int) -> tuple[HeldRecord, ...]:
    """Return the actions on hold of a run, released ones included, in their order."""
    return _records(transaction, HELD.c.run_id == run_id)


def waiting(transaction: Transaction, pool_id: int) -> tuple[HeldRecord, ...]:
    """Return the actions on hold of all runs of a pool that have not been released, in their order."""
    return _records(transaction, ACCOUNTS.c.pool_id == pool_id, HELD.c.released_at.is_(None))


def _records(transaction: Transaction, *conditions: ColumnElement[bool]) -> tuple[HeldRecord, ...]:
    query = (
        select(HELD, ACCOUNTS.c.display_name, ACCOUNTS.c.key_hint, ACCOUNTS.c.place)
        .join(ACCOUNTS, ACCOUNTS.c.id == HELD.c.account_id)
        .where(*conditions)
        .order_by(HELD.c.id)
    )
    return tuple(HeldRecord(**row) for row in transaction.execute(query).mappings())


def waiting_count(transaction: Transaction) -> int:
    """Count the changes that are on hold and not released."""
    query = select(func.count()).select_from(HELD).where(HELD.c.released_at.is_(None))
    return transaction.execute(query).scalar_one()


def answered(transaction: Transaction, action_ids: Sequence[int], now: int) -> None:
    """Mark the actions on hold of all accounts on which one of these actions took effect as released.

    A release is an answer of its own run also where it changed nothing, because a run is released only once; a failed
    one is not.
    """
    took_effect = ACTIONS.c.outcome == ActionOutcome.APPLIED.value
    was_answered = and_(
        ACTIONS.c.cause == Cause.RELEASE.value,
        ACTIONS.c.outcome != ActionOutcome.FAILED.value,
        ACTIONS.c.run_id == HELD.c.run_id,
    )
    answer = select(ACTIONS.c.id).where(
        ACTIONS.c.id.in_(action_ids), ACTIONS.c.account_id == HELD.c.account_id, or_(took_effect, was_answered)
    )
    query = update(HELD).where(HELD.c.released_at.is_(None), answer.exists())
    transaction.execute(query.values(released_at=now))


def reopened(transaction: Transaction, action_ids: Sequence[int]) -> None:
    """Put actions on hold again that one of these undos took the answer to back: nothing done since stands any more."""
    undone = select(ACTIONS.c.account_id).where(
        ACTIONS.c.id.in_(action_ids),
        ACTIONS.c.outcome == ActionOutcome.APPLIED.value,
        ACTIONS.c.undoes.is_not(None),
    )
    released = select(HELD.c.account_id).where(HELD.c.account_id.in_(undone), HELD.c.released_at.is_not(None))
    numbers = sorted(set(transaction.execute(released).scalars()))
    newest = _newest_standing(transaction, numbers)
    again = [{"number": number, "since": newest.get(number, -1)} for number in numbers]
    if again:
        later = select(RESULTS.c.seq).where(RESULTS.c.account_id == HELD.c.account_id, RESULTS.c.run_id > HELD.c.run_id)
        stands = and_(HELD.c.account_id == bindparam("number"), HELD.c.at > bindparam("since"), ~later.exists())
        transaction.execute(update(HELD).where(stands).values(released_at=None), again)


def _newest_standing(transaction: Transaction, account_ids: Sequence[int]) -> Mapping[int, int]:
    """Return, by account, the time of the newest action that is no undo and was not taken back."""
    ids = sorted(number for action_ids in standing(transaction, account_ids).values() for number in action_ids)
    newest: dict[int, int] = {}
    for chunk in chunks(ids):
        query = (
            select(ACTIONS.c.account_id, func.max(ACTIONS.c.at))
            .where(ACTIONS.c.id.in_(chunk), ACTIONS.c.undoes.is_(None))
            .group_by(ACTIONS.c.account_id)
        )
        for number, at in transaction.execute(query):
            newest[number] = max(at, newest.get(number, -1))
    return newest
