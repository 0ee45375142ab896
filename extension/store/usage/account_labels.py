"""Labels of accounts in usage, by the gateway's index that events hold."""

from collections import Counter
from typing import Final

from sqlalchemy import select

from extension.store.database.database import Transaction
from extension.store.schema.tables import ACCOUNTS

_SEPARATOR: Final = " \u00b7 "


def labels(transaction: Transaction, pool_id: int) -> dict[str, str]:
    """Return display names by index, with the place where several accounts have the same name.

    Of accounts that had the same index, the newest one's.
    """
    columns = (ACCOUNTS.c.auth_index, ACCOUNTS.c.display_name, ACCOUNTS.c.place, ACCOUNTS.c.key_hint)
    indexed = (ACCOUNTS.c.pool_id == pool_id, ACCOUNTS.c.auth_index != "")
    query = select(*columns).where(*indexed).order_by(ACCOUNTS.c.id)
    newest = {row.auth_index: row for row in transaction.execute(query)}
    counts = Counter(row.display_name for row in newest.values())
    return {
        index: f"{row.display_name}{_SEPARATOR}{place}"
        if counts[row.display_name] > 1 and (place := row.place or row.key_hint)
        else row.display_name
        for index, row in newest.items()
    }
