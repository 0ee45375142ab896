"""State of the collection of usage: the collector's lease, gaps in what was collected, and unreadable records.

The one collector of a pool holds a lease with an epoch that each of its writes checks. A process that wakes up after
its term finds another epoch and changes nothing.
"""

from dataclasses import replace
from typing import Final

from sqlalchemy import delete, func, insert, select, update

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_COLLECTORS, USAGE_DEAD_LETTERS, USAGE_GAPS
from extension.store.usage.records import CollectorState, DeadLetter, GapRecord

MOST_LETTERS: Final = 1_000
"""Dead letters that are kept, the newest ones; each has at most 8,192 characters."""
_ROW: Final = USAGE_COLLECTORS.c
_GAP: Final = USAGE_GAPS.c
_LETTER: Final = USAGE_DEAD_LETTERS.c


class LeaseLost(Exception):  # noqa: N818 - the name states what happened
    """Another process collects for this pool now; nothing was written."""


def state(transaction: Transaction, pool_id: int) -> CollectorState | None:
    """Return the state; None before the first collector."""
    columns = (_ROW[name] for name in CollectorState.__slots__)
    row = transaction.execute(select(*columns).where(_ROW.pool_id == pool_id)).one_or_none()
    return None if row is None else CollectorState(*row)


def claim(
    transaction: Transaction, pool_id: int, owner: str, *, now: int, term_ms: int, alone: bool
) -> CollectorState | None:
    """Take the lease and return the state as it was before, with the new owner and epoch; None while another has it.

    `alone` means that no other process has the database open: the former holder of the lease has ended.
    """
    before = state(transaction, pool_id)
    if before is None:
        values = {"owner": owner, "epoch": 1, "expires_at": now + term_ms, "covered_until": now, "clean": True}
        transaction.execute(insert(USAGE_COLLECTORS).values(pool_id=pool_id, source="", pruned_before=0, **values))
        return state(transaction, pool_id)
    if before.owner not in {"", owner} and before.expires_at > now and not alone:
        return None
    taken = update(USAGE_COLLECTORS).where(_ROW.pool_id == pool_id, _ROW.epoch == before.epoch)
    # The end before is used up: whatever goes wrong from here on is not covered by it.
    values = {"owner": owner, "epoch": before.epoch + 1, "expires_at": now + term_ms, "clean": False}
    if transaction.execute(taken.values(**values)).rowcount != 1:
        return None
    return replace(before, owner=owner, epoch=before.epoch + 1, expires_at=now + term_ms)


def advance(
    transaction: Transaction, pool_id: int, epoch: int, *, covered_until: int, expires_at: int, source: str, clean: bool
) -> None:
    """Extend the lease, or raise `LeaseLost`, and note up to when records are complete; a `clean` end lost none."""
    values = {"covered_until": covered_until, "expires_at": expires_at, "source": source, "clean": clean}
    changed = update(USAGE_COLLECTORS).where(_ROW.pool_id == pool_id, _ROW.epoch == epoch).values(**values)
    if transaction.execute(changed).rowcount != 1:
        raise LeaseLost


def note_pruned(transaction: Transaction, pool_id: int, before: int) -> None:
    """Note that events before a time may have been removed."""
    transaction.execute(
        update(USAGE_COLLECTORS)
        .where(_ROW.pool_id == pool_id, _ROW.pruned_before < before)
        .values(pruned_before=before)
    )


def add_gap(transaction: Transaction, pool_id: int, start: int, end: int, *, kind: str, missing: int | None) -> None:
    """Note a gap, in which records may be missing; `missing` only where the gateway counted.

    One that goes on where a counted gap of its kind ends makes that longer: answers show so many gaps at most.
    """
    if missing is not None:
        same = (_GAP.pool_id == pool_id, _GAP.kind == kind, _GAP.end_at == start, _GAP.missing.is_not(None))
        longer = update(USAGE_GAPS).where(*same).values(end_at=end, missing=_GAP.missing + missing)
        if transaction.execute(longer).rowcount:
            return
    values = {"start_at": min(start, end), "end_at": end, "kind": kind, "missing": missing}
    transaction.execute(insert(USAGE_GAPS).values(pool_id=pool_id, **values))


def gap_count(transaction: Transaction, pool_id: int) -> int:
    """Return how many gaps there have been."""
    query = select(func.count()).select_from(USAGE_GAPS).where(_GAP.pool_id == pool_id)
    return transaction.execute(query).scalar_one()


def gaps_touching(transaction: Transaction, pool_id: int, start: int, end: int, limit: int) -> tuple[GapRecord, ...]:
    """Return the gaps that touch a period, oldest first, at most `limit` of the newest."""
    columns = (_GAP[name] for name in GapRecord.__slots__)
    query = select(*columns).where(_GAP.pool_id == pool_id, _GAP.end_at >= start, _GAP.start_at <= end)
    rows = transaction.execute(query.order_by(_GAP.end_at.desc(), _GAP.id.desc()).limit(limit)).all()
    return tuple(GapRecord(*row) for row in reversed(rows))


def add_letters(transaction: Transaction, pool_id: int, letters: list[tuple[int, str, str, str]]) -> None:
    """Store dead letters (time, reason, field, text), and drop the oldest beyond those that are kept."""
    if not letters:
        return
    names = ("at", "reason", "field", "text")
    rows = [{"pool_id": pool_id, **dict(zip(names, letter, strict=True))} for letter in letters]
    transaction.execute(insert(USAGE_DEAD_LETTERS), rows)
    newest = transaction.execute(select(func.max(_LETTER.id))).scalar() or 0
    transaction.execute(delete(USAGE_DEAD_LETTERS).where(_LETTER.id <= newest - MOST_LETTERS))


def recent_letters(transaction: Transaction, pool_id: int, limit: int) -> tuple[DeadLetter, ...]:
    """Return the newest dead letters, newest first."""
    columns = (_LETTER[name] for name in DeadLetter.__slots__)
    query = select(*columns).where(_LETTER.pool_id == pool_id).order_by(_LETTER.id.desc()).limit(limit)
    return tuple(DeadLetter(*row) for row in transaction.execute(query))
