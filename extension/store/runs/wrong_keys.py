"""Times of the wrong keys that controls sent to each base URL: the hour between two survives a restart.

They are rows of a kind of their own among the warnings, which have one row for each subject.
"""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import delete, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import WARNINGS

LONGEST: Final = 512
"""Most characters of a base URL that are stored; longer ones that begin alike share their hour."""
_KIND: Final = "wrong-key"


def record(transaction: Transaction, pool_id: int, route: str, *, now: int, forget: int) -> None:
    """Store that a wrong key is sent to a base URL now, and forget those from before a time."""
    subject = route[:LONGEST]
    own = WARNINGS.c.pool_id == pool_id, WARNINGS.c.kind == _KIND
    transaction.execute(delete(WARNINGS).where(*own, (WARNINGS.c.subject == subject) | (WARNINGS.c.last_at < forget)))
    row = {"pool_id": pool_id, "kind": _KIND, "subject": subject, "text": ""}
    transaction.execute(insert(WARNINGS).values(**row, first_at=now, last_at=now, times=1))


def last_sent(transaction: Transaction, pool_id: int) -> Mapping[str, int]:
    """Return the time of the last wrong key of each stored base URL."""
    own = WARNINGS.c.pool_id == pool_id, WARNINGS.c.kind == _KIND
    rows = transaction.execute(select(WARNINGS.c.subject, WARNINGS.c.last_at).where(*own))
    return {row.subject: row.last_at for row in rows}
