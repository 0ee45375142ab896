import asyncio
import stat
import threading

import pytest

from adapter.clock import FakeClock
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.errors import DatabaseTrouble, DataFolderUnusable
from extension.store.pool import pools
from extension.store.records import EventKind
from tests.extension.store.rows import BOTH_DATABASES, NOW


def add_event(transaction: Transaction) -> int:
    events.append(transaction, NOW, EventKind.POOL, None, {})
    return events.newest(transaction)


async def test_what_is_written_is_there_after_opening_again(folder: DataFolder) -> None:
    database = await Database.open(folder)
    await database.write(add_event)
    await database.close()
    again = await Database.open(folder)
    assert await again.read(events.newest) == 1
    await again.close()


async def test_the_files_of_the_database_are_private(folder: DataFolder) -> None:
    database = await Database.open(folder)
    await database.write(add_event)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.path.iterdir()}
    assert modes == dict.fromkeys(("poolkeeper.db", "poolkeeper.db-shm", "poolkeeper.db-wal", "service.lock"), 0o600)
    await database.close()


async def test_writes_answer_in_the_order_they_were_given(database: Database) -> None:
    numbers = await asyncio.gather(*(database.write(add_event) for _ in range(300)))
    assert list(numbers) == list(range(1, 301))


class WorkClock(FakeClock):
    """A clock that moves only by the work done, from any thread."""

    def work(self, seconds: float) -> None:
        self._elapsed += seconds


async def commits_of(folder: DataFolder, writes: int, seconds: float) -> int:
    """Count the commits of writes that all wait before the first begins, each of which takes so long."""
    clock, gate, commits = WorkClock(), threading.Event(), 0

    def listener() -> None:
        nonlocal commits
        commits += 1

    def work(transaction: Transaction) -> int:
        assert gate.wait(10)
        clock.work(seconds)
        return add_event(transaction)

    database = await Database.open(folder, clock)
    database.on_commit(listener)
    waiting = [asyncio.ensure_future(database.write(work)) for _ in range(writes)]
    await asyncio.sleep(0)
    gate.set()
    assert await asyncio.gather(*waiting) == list(range(1, writes + 1))
    await database.close()
    return commits


@pytest.mark.parametrize(
    ("writes", "seconds", "commits"),
    [
        pytest.param(401, 0.0, 1, id="what waits shares a commit"),
        pytest.param(1_001, 0.0, 3, id="at most 500 writes share a commit"),
        pytest.param(9, 0.02, 3, id="a commit takes no more writes after 50 ms of work"),
        pytest.param(4, 0.06, 4, id="longer work is committed alone"),
    ],
)
async def test_what_waits_is_committed_together(folder: DataFolder, writes: int, seconds: float, commits: int) -> None:
    assert await commits_of(folder, writes, seconds) == commits


@BOTH_DATABASES
async def test_a_failing_write_undoes_its_own_changes_alone(database: Database) -> None:
    def fail(transaction: Transaction) -> None:
        add_event(transaction)
        raise ValueError("changed my mind")

    before, failed, after = await asyncio.gather(
        database.write(add_event), database.write(fail), database.write(add_event), return_exceptions=True
    )
    assert isinstance(failed, ValueError)
    # PostgreSQL never gives the number of what was undone again.
    assert (before, after) in {(1, 2), (1, 3)}
    assert await database.read(lambda transaction: len(events.after(transaction, 0, None, 10))) == 2


async def test_a_write_is_done_although_its_waiter_goes_away(database: Database) -> None:
    entered, gate = threading.Event(), threading.Event()

    def slow(transaction: Transaction) -> int:
        entered.set()
        assert gate.wait(10)
        return add_event(transaction)

    waiting = asyncio.ensure_future(database.write(slow))
    await asyncio.to_thread(entered.wait, 10)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.set()
    await database.write(add_event)
    assert await database.read(events.newest) == 2


@BOTH_DATABASES
async def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(DatabaseTrouble, match=r"readonly database|read-only transaction"):
        await database.read(add_event)


@BOTH_DATABASES
async def test_readers_go_on_while_a_write_is_open(database: Database) -> None:
    entered, gate = threading.Event(), threading.Event()

    def slow(transaction: Transaction) -> None:
        add_event(transaction)
        entered.set()
        assert gate.wait(10)

    writing = asyncio.ensure_future(database.write(slow))
    await asyncio.to_thread(entered.wait, 10)
    assert await database.read(events.newest) == 0
    gate.set()
    await writing
    assert await database.read(events.newest) == 1


@BOTH_DATABASES
async def test_an_error_of_the_database_names_no_stored_value(database: Database) -> None:
    def twice(transaction: Transaction) -> None:
        from extension.store.schema.tables import POOLS

        pools.ensure(transaction, "a-secret-name", NOW)
        transaction.execute(POOLS.insert().values(name="a-secret-name", created_at=NOW))

    with pytest.raises(DatabaseTrouble, match=r"(?i)unique constraint") as caught:
        await database.write(twice)
    assert "a-secret-name" not in str(caught.value)


async def test_a_closed_database_says_so(folder: DataFolder) -> None:
    database = await Database.open(folder)
    await database.close()
    await database.close()
    with pytest.raises(DatabaseTrouble, match="closed"):
        await database.write(add_event)
    with pytest.raises(DatabaseTrouble, match="closed"):
        await database.read(events.newest)


async def test_closing_commits_what_was_handed_over(folder: DataFolder) -> None:
    database = await Database.open(folder)
    waiting = [asyncio.ensure_future(database.write(add_event)) for _ in range(50)]
    await asyncio.sleep(0)
    await database.close()
    assert len(await asyncio.gather(*waiting)) == 50


async def test_a_file_that_is_no_database_is_told_and_left_alone(folder: DataFolder) -> None:
    folder.database.write_text("this is a letter, not a database" * 100)
    with pytest.raises(DatabaseTrouble, match="file is not a database"):
        await Database.open(folder)
    assert folder.database.read_text().startswith("this is a letter")


async def test_a_folder_in_the_place_of_the_database_is_told(folder: DataFolder) -> None:
    await asyncio.to_thread(folder.database.mkdir)
    with pytest.raises(DataFolderUnusable, match="Is a directory"):
        await Database.open(folder)


@BOTH_DATABASES
async def test_a_write_that_fails_by_itself_leaves_nothing_of_its_own(database: Database) -> None:
    def half(transaction: Transaction) -> None:
        add_event(transaction)
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        await database.write(half)
    assert await database.read(events.newest) == 0
    await database.write(add_event)
    assert await database.read(lambda transaction: len(events.after(transaction, 0, None, 10))) == 1
