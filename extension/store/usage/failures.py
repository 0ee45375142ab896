"""Accounts with the most failures, and their reasons."""

from collections.abc import Sequence

from sqlalchemy import func, select, text

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.names import texts
from extension.usage.calendar import Period

_ROW = USAGE_EVENTS.c
_FAILED = text("failure_id <> 0")
"""The condition of the index of failures, as a literal: a database does not see it in a parameter."""


def reasons(
    transaction: Transaction, wanted: NamedFilter, period: Period, accounts: Sequence[int], most: int
) -> dict[int, tuple[tuple[str, int, int], ...]]:
    """Return the reasons of accounts' failures (text, count, time of the last), the most frequent first."""
    counted = (
        select(_ROW.account_id, _ROW.failure_id, func.count().label("requests"), func.max(_ROW.at).label("last_at"))
        .where(*wanted.conditions(period), _FAILED, _ROW.account_id.in_(accounts))
        .group_by(_ROW.account_id, _ROW.failure_id)
    )
    rows = sorted(transaction.execute(counted).all(), key=lambda row: (-row.requests, row.failure_id))
    named = texts(transaction, {row.failure_id for row in rows})
    found: dict[int, list[tuple[str, int, int]]] = {}
    for row in rows:
        reasons_of = found.setdefault(row.account_id, [])
        if len(reasons_of) < most:
            reasons_of.append((named[row.failure_id], int(row.requests), int(row.last_at)))
    return {account: tuple(each) for account, each in found.items()}
