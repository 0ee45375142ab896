"""What is asked at every look at the pool and at every batch of actions reads as many rows as there are accounts, not
as many as there ever were.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event

from extension.store.actions import actions
from extension.store.database.database import Database, Transaction
from extension.store.runs import results
from tests.extension.store.rows import BOTH_DATABASES, add_accounts, add_pool


def plan_of(transaction: Transaction, work: Callable[[Transaction], object]) -> list[str]:
    """Return the steps in which the database carries out the one statement that the work runs."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        statements.append((statement, parameters))

    event.listen(transaction, "before_cursor_execute", note)
    work(transaction)
    event.remove(transaction, "before_cursor_execute", note)
    ((statement, parameters),) = statements
    if transaction.dialect.name == "sqlite":
        return [str(row[3]) for row in transaction.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
    # A table of a few rows is always read as a whole, unless that is the last resort.
    for method in ("seqscan", "bitmapscan"):
        transaction.exec_driver_sql(f"SET LOCAL enable_{method} = off")
    return [str(row[0]) for row in transaction.exec_driver_sql(f"EXPLAIN {statement}", parameters)]


@BOTH_DATABASES
@pytest.mark.parametrize(
    ("work", "table"),
    [
        (lambda transaction: results.latest(transaction, 1), "results"),
        (lambda transaction: results.latest(transaction, 1, [1, 2]), "results"),
        (lambda transaction: actions.last_applied(transaction, 1), "actions"),
    ],
)
async def test_the_newest_of_each_account_is_found_without_reading_all_there_ever_were(
    database: Database, work: Callable[[Transaction], object], table: str
) -> None:
    def look(transaction: Transaction) -> list[str]:
        add_accounts(transaction, add_pool(transaction), 2)
        return plan_of(transaction, work)

    plan = await database.write(look)

    assert any(f"SEARCH {table}" in step or re.search(rf"Index.* on {table}\b", step) for step in plan), plan
    assert not any(re.search(rf"SCAN {table}|Seq Scan on {table}\b", step) for step in plan), plan
    assert not any("TEMP B-TREE FOR GROUP BY" in step for step in plan), plan
    assert not any("ix_actions_pool_id_outcome" in step for step in plan), plan
