"""A week of events in both databases, with daily sums of no, all and some days."""

from collections.abc import AsyncIterator

import pytest

from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from tests.extension.store.rows import add_pool
from tests.extension.store.templates import Templates
from tests.extension.store.usage.samples import DAY, EVENTS, START, store_all, sum_up

SUMMED = {"by-hours": range(0), "by-days": range(8), "by-some-days": (1, 2, 5)}
"""Days, counted from the first, that have daily sums."""


@pytest.fixture(params=SUMMED)
async def filled(templates: Templates, folder: DataFolder, request: pytest.FixtureRequest) -> AsyncIterator[Database]:
    """A database of its own, with `EVENTS`."""

    def fill(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)
        for start in range(0, len(EVENTS), 500):
            store_all(transaction, pool_id, EVENTS[start : start + 500])
        for place in SUMMED[request.param]:
            sum_up(transaction, pool_id, START // DAY + place)

    async with templates.opened(f"a week {request.param}", fill, folder) as database:
        yield database
