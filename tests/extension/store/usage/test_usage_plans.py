"""Questions about usage, and batches of a re-rating, search the rows they need, whatever else is stored."""

import re
from collections.abc import Callable

import pytest

from extension.store.database.database import Database, Transaction
from extension.store.usage.costs import reratings
from extension.store.usage.dimensions import NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import DAYS, HOURS, RollupLevel, rollup_sums, within
from extension.store.usage.records import UsageFilter
from tests.extension.store.rows import add_pool
from tests.extension.store.test_query_plans import plan_of
from tests.extension.store.usage.samples import START, events, store_all


def _reading(level: RollupLevel, table_name: str) -> Callable[[Transaction], object]:
    def work(transaction: Transaction) -> object:
        query = Query(1, NamedFilter(transaction, 1, UsageFilter()), NameKind.ACCOUNT, names=(1, 2, 3))
        table = getattr(level, table_name)
        place = START // 3_600_000 // (1 if level is HOURS else 24)
        wanted = within(table.c[level.unit], (range(place, place + 30),))
        return transaction.execute(rollup_sums(table, query, (NameKind.ACCOUNT, None), wanted)).all()

    return work


def _dropping(transaction: Transaction) -> None:
    reratings._drop_empty(transaction, 1, {START // 3_600_000})


@pytest.mark.parametrize(
    "work",
    [
        *(_reading(level, name) for level in (HOURS, DAYS) for name in ("sums", "latencies", "costs")),
        _dropping,
    ],
    ids=[*(f"{level.unit}s-{name}" for level in (HOURS, DAYS) for name in ("sums", "latencies", "costs")), "empty"],
)
async def test_sums_are_searched_for_by_their_time(database: Database, work: Callable[[Transaction], object]) -> None:
    def look(transaction: Transaction) -> list[str]:
        store_all(transaction, add_pool(transaction), events(50))
        return plan_of(transaction, work)

    plan = await database.write(look)

    text = "\n".join(plan)
    assert re.search(r"(hour|day)\s?(>|=|<|=|IN)|name_id=\? AND day", text), plan
    assert not re.search(r"SCAN usage_|Seq Scan on usage_", text), plan
