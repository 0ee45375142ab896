"""Warnings for the operator, one row per kind and subject, with a count of repetitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, insert, select, update

from extension.store.database.database import Transaction
from extension.store.schema.tables import WARNINGS

LONGEST: Final = 512
"""Most characters of a base URL that are stored; longer ones that begin alike share their hour."""
_WRONG_KEY: Final = "wrong-key"


@dataclass(frozen=True, slots=True)
class WarningRecord:
    """Something the operator should know, such as an entry of the pool that had to be skipped; one row per subject."""

    id: int
    kind: str
    subject: str
    text: str
    first_at: int
    last_at: int
    times: int


def record(transaction: Transaction, pool_id: int, kind: str, entries: Sequence[tuple[str, str]], now: int) -> None:
    """Store warnings of one kind, given as (subject, text); one that is known gets its time, text and count renewed."""
    known = {warning.subject: warning for warning in of_pool(transaction, pool_id) if warning.kind == kind}
    for subject, text in dict(entries).items():
        if (before := known.get(subject)) is None:
            row = {"pool_id": pool_id, "kind": kind, "subject": subject, "text": text}
            transaction.execute(insert(WARNINGS).values(**row, first_at=now, last_at=now, times=1))
        else:
            again = {"text": text, "last_at": now, "times": before.times + 1}
            transaction.execute(update(WARNINGS).where(WARNINGS.c.id == before.id).values(**again))


def of_pool(transaction: Transaction, pool_id: int) -> tuple[WarningRecord, ...]:
    """Return the warnings of a pool, the newest first."""
    query = select(*(WARNINGS.c[name] for name in WarningRecord.__slots__)).where(WARNINGS.c.pool_id == pool_id)
    rows = transaction.execute(query.order_by(WARNINGS.c.last_at.desc(), WARNINGS.c.id))
    return tuple(WarningRecord(*row) for row in rows)


def record_wrong_key(transaction: Transaction, pool_id: int, route: str, *, now: int, forget: int) -> None:
    """Store that a control sends a wrong key to a base URL now, and forget those from before a time."""
    subject = route[:LONGEST]
    own = WARNINGS.c.pool_id == pool_id, WARNINGS.c.kind == _WRONG_KEY
    transaction.execute(delete(WARNINGS).where(*own, (WARNINGS.c.subject == subject) | (WARNINGS.c.last_at < forget)))
    row = {"pool_id": pool_id, "kind": _WRONG_KEY, "subject": subject, "text": ""}
    transaction.execute(insert(WARNINGS).values(**row, first_at=now, last_at=now, times=1))


def wrong_keys(transaction: Transaction, pool_id: int) -> Mapping[str, int]:
    """Return the time of the last wrong key of each stored base URL: the hour between two survives a restart."""
    own = WARNINGS.c.pool_id == pool_id, WARNINGS.c.kind == _WRONG_KEY
    rows = transaction.execute(select(WARNINGS.c.subject, WARNINGS.c.last_at).where(*own))
    return {row.subject: row.last_at for row in rows}
