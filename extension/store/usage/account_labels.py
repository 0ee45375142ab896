"""Display names of accounts, by the gateway's index that events hold."""

from sqlalchemy import select

from extension.store.database.database import Transaction
from extension.store.schema.tables import ACCOUNTS


def labels(transaction: Transaction, pool_id: int) -> dict[str, str]:
    """Return display names by index; of accounts that had the same index, the newest one's."""
    query = select(ACCOUNTS.c.auth_index, ACCOUNTS.c.display_name).where(ACCOUNTS.c.pool_id == pool_id)
    return {row.auth_index: row.display_name for row in transaction.execute(query.order_by(ACCOUNTS.c.id))}
