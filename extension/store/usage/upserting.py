"""Additive upserts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Table

from extension.store.database.database import Transaction
from extension.store.schema.dialects import upsert


def insert_missing(transaction: Transaction, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, but for those that are there."""
    if rows:
        transaction.execute(upsert(transaction, table).on_conflict_do_nothing(), rows)


def add_up(transaction: Transaction, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add the numbers of rows to those stored under the same primary key.

    The rows are sorted by their key: two writers then lock rows in the same order and cannot wait for each other.
    """
    keys = [column.name for column in table.primary_key]
    ordered = sorted(rows, key=lambda row: [row[name] for name in keys])
    if not ordered:
        return
    statement = upsert(transaction, table)
    sums = {column.name: column + statement.excluded[column.name] for column in table.c if column.name not in keys}
    transaction.execute(statement.on_conflict_do_update(index_elements=keys, set_=sums), ordered)
