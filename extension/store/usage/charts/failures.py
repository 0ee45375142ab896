"""Accounts with the most failures, and their reasons."""

from collections.abc import Sequence
from typing import Any

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

    def counted(part: Period) -> Any:
        numbers = (func.count().label("requests"), func.max(_ROW.at).label("last_at"))
        return (
            select(_ROW.account_id, _ROW.failure_id, *numbers)
            .where(*wanted.conditions(part), _FAILED, _ROW.account_id.in_(accounts))
            .group_by(_ROW.account_id, _ROW.failure_id)
        )

    summed: dict[tuple[int, int], tuple[int, int]] = {}
    question = ("failures", wanted.wanted, tuple(accounts))
    for row in wanted.stored.event_rows(counted, question, period):
        requests, last_at = summed.get((row.account_id, row.failure_id), (0, 0))
        summed[row.account_id, row.failure_id] = requests + int(row.requests), max(last_at, int(row.last_at))
    named = texts(transaction, {failure_id for _, failure_id in summed})
    found: dict[int, list[tuple[str, int, int]]] = {}
    for (account_id, failure_id), (requests, last_at) in sorted(
        summed.items(), key=lambda pair: (-pair[1][0], pair[0][1])
    ):
        reasons_of = found.setdefault(account_id, [])
        if len(reasons_of) < most:
            reasons_of.append((named[failure_id], requests, last_at))
    return {account: tuple(each) for account, each in found.items()}
