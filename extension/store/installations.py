"""The installation that a shared database belongs to, known by a mark of its installation key."""

import hashlib
import hmac
from typing import Final

from sqlalchemy import insert, select

from extension.store.database.database import Transaction
from extension.store.errors import InstallationKeyForeign
from extension.store.schema.tables import INSTALLATIONS

_PURPOSE: Final = b"poolkeeper installation"


def require_key(transaction: Transaction, key: bytes, now: int) -> None:
    """Make sure that a database was made with a key; a database without a mark gets the mark of this key.

    Raises:
        InstallationKeyForeign: it was made with another key.
    """
    mark = hmac.new(key, _PURPOSE, hashlib.sha256).hexdigest()
    stored = transaction.execute(select(INSTALLATIONS.c.mark)).scalar()
    if stored is None:
        transaction.execute(insert(INSTALLATIONS).values(mark=mark, made_at=now))
    elif not hmac.compare_digest(stored, mark):
        raise InstallationKeyForeign(
            "The database was made with another installation key: its accounts could not be recognized. "
            "Copy secret.key from the data folder of the other process into this one, or restore it from a backup."
        )
