from functools import partial

from extension.store.database.database import Database
from extension.store.pool import warnings
from extension.store.pool.warnings import WarningRecord
from tests.extension.store.rows import BOTH_DATABASES, NOW, add_pool


@BOTH_DATABASES
async def test_a_warning_that_comes_again_is_counted_not_repeated(database: Database) -> None:
    pool = await database.write(add_pool)
    entries = [("a.json", "no auth_index"), ("b.json", "no auth_index")]
    await database.write(lambda transaction: warnings.record(transaction, pool, "skipped-entry", entries, NOW))
    later = [("a.json", "still none")]
    await database.write(lambda transaction: warnings.record(transaction, pool, "skipped-entry", later, NOW + 5))
    known = await database.read(lambda transaction: warnings.of_pool(transaction, pool))
    assert known == (
        WarningRecord(1, "skipped-entry", "a.json", "still none", NOW, NOW + 5, 2),
        WarningRecord(2, "skipped-entry", "b.json", "no auth_index", NOW, NOW, 1),
    )


async def test_warnings_of_another_kind_are_others(database: Database) -> None:
    pool = await database.write(add_pool)
    for kind in ("one", "two"):
        rows = [("a", "x"), ("a", "y")]
        await database.write(partial(warnings.record, pool_id=pool, kind=kind, entries=rows, now=NOW))
    known = await database.read(lambda transaction: warnings.of_pool(transaction, pool))
    assert [(row.kind, row.text, row.times) for row in known] == [("one", "y", 1), ("two", "y", 1)]
