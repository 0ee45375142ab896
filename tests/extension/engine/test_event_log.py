import asyncio
import gc
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from adapter.privacy.secret import Redactor
from extension.engine.event_log import KEPT, EventLog
from extension.engine.inspector import Inspector
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.pool import pools
from extension.store.records import EventKind
from extension.store.schema.tables import EVENTS
from tests.extension.engine.scenario import all_events, compat_config, inspected, opened, settings


async def newest(inspector: Inspector) -> int:
    return (await all_events(inspector))[-1].seq


async def test_nothing_is_missed_between_reading_and_waiting(tmp_path: Path) -> None:
    names = [f"p{number}" for number in range(20)]
    async with opened(tmp_path, FakeGateway(compat_config(names))) as inspector:
        seen: list[int] = []

        async def follow() -> None:
            while True:
                events = await inspector.event_log.events(seen[-1] if seen else 0, None, 2)
                seen.extend(event.seq for event in events)
                if events and events[-1].data.get("state") == "finished":
                    return
                assert await inspector.event_log.wait(seen[-1] if seen else 0)

        following = asyncio.ensure_future(follow())
        await inspector.runs.start(settings(workers=2), "anna")
        await asyncio.wait_for(following, 30)
        assert seen == [event.seq for event in await all_events(inspector)]


async def test_closing_lets_readers_go(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway()) as inspector:
        waiting = asyncio.ensure_future(inspector.event_log.wait(0))
        await asyncio.sleep(0)
    assert await waiting is False


async def test_a_cursor_of_another_log_is_answered_by_a_reset(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"]))) as inspector:
        await inspected(inspector, settings())
        last = await newest(inspector)
        (event,) = await inspector.event_log.events(last + 1000)
        assert (event.kind, event.seq) == (EventKind.RESET, last)
        assert await inspector.event_log.wait(last + 1000)
        assert await inspector.event_log.events(last) == ()


async def test_events_of_one_run_are_read_apart(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"]))) as inspector:
        first = await inspected(inspector, settings())
        second = await inspected(inspector, settings())
        for run in (first, second):
            assert {event.run_id for event in await inspector.event_log.events(0, run.id)} == {run.id}
        assert None in {event.run_id for event in await all_events(inspector)}


@pytest.mark.parametrize(
    ("filled", "first", "cursor", "is_reset"),
    [
        *((6, 4, cursor, cursor in {1, 2, 7}) for cursor in (0, 1, 2, 3, 4, 6, 7)),
        *((KEPT + 30, 10, cursor, cursor in {1, 8}) for cursor in (0, 1, 8, 9, 10)),  # more than fits into memory
    ],
)
async def test_only_a_cursor_with_pruned_events_behind_it_is_reset(
    tmp_path: Path, filled: int, first: int, cursor: int, is_reset: bool
) -> None:
    def fill_and_prune(transaction: Transaction) -> None:
        for _ in range(filled):
            events.append(transaction, 1_700_000_000_000, EventKind.POOL, None, {})
        transaction.execute(EVENTS.delete().where(EVENTS.c.seq < first))

    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        await database.write(fill_and_prune)
        answer = await EventLog(database).events(cursor, None, 3)
        await database.close()
    if is_reset:
        assert [(event.kind, event.seq) for event in answer] == [(EventKind.RESET, filled)]
    else:
        begin = max(first, cursor + 1)
        assert [event.seq for event in answer] == list(range(begin, min(begin + 3, filled + 1)))


async def test_a_commit_costs_one_query_however_many_readers_wait(tmp_path: Path) -> None:
    queries = 0

    def append(transaction: Transaction) -> None:
        events.append(transaction, 1_700_000_000_000, EventKind.POOL, None, {})

    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        read = database.read

        async def counted(work: Callable[..., Any], *args: Any) -> Any:
            nonlocal queries
            queries += 1
            return await read(work, *args)

        database.read = counted  # type: ignore[assignment,method-assign] # counts what it passes on
        log = EventLog(database)

        async def follow() -> list[int]:
            seen: list[int] = []
            while len(seen) < 4:
                assert await log.wait(seen[-1] if seen else 0)
                seen += [event.seq for event in await log.events(seen[-1] if seen else 0, None, 10)]
            return seen

        readers = [asyncio.ensure_future(follow()) for _ in range(200)]
        await asyncio.sleep(0)
        for _ in range(4):
            await database.write(append)
        assert {tuple(await reader) for reader in readers} == {(1, 2, 3, 4)}
        await database.close()

    assert queries <= 5


async def test_the_newest_events_are_kept_in_memory_and_older_ones_read(tmp_path: Path) -> None:
    def append(transaction: Transaction) -> None:
        for _ in range(KEPT // 2 + 1):
            events.append(transaction, 1_700_000_000_000, EventKind.POOL, None, {})

    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        log = EventLog(database)
        for times in range(1, 4):
            await database.write(append)
            last = times * (KEPT // 2 + 1)
            for after in (0, 1, last // 2, last - 3, last):
                seqs = [event.seq for event in await log.events(after, None, 10_000)]
                assert seqs == list(range(after + 1, last + 1))
        await database.close()


async def test_a_pool_sees_its_own_events_and_those_of_the_installation(tmp_path: Path) -> None:
    def prepare(transaction: Transaction) -> tuple[int, int]:
        first, second = (pools.ensure(transaction, name, 1) for name in ("first", "second"))
        for pool_id in (first, second, None, second):
            events.append(transaction, 1_700_000_000_000, EventKind.POOL, None, {}, pool_id=pool_id)
        return first, second

    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        first, second = await database.write(prepare)
        logs = {first: EventLog(database, lambda: first), second: EventLog(database, lambda: second)}
        assert [event.seq for event in await logs[first].events()] == [1, 3]
        assert [event.seq for event in await logs[second].events()] == [2, 3, 4]
        assert await logs[first].end() == 3

        waiting = asyncio.ensure_future(logs[first].wait(3))
        await database.write(events.append, 1_700_000_000_000, EventKind.POOL, None, {}, pool_id=second)
        assert await logs[second].wait(4)
        assert not waiting.done()
        await database.write(events.append, 1_700_000_000_000, EventKind.POOL, None, {}, pool_id=first)
        assert await waiting
        assert [event.seq for event in await logs[first].events(3)] == [6]
        await database.close()


async def test_a_commit_without_an_event_of_the_pool_is_not_read(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        first, second = [await database.write(pools.ensure, name, 1) for name in ("first", "second")]
        log = EventLog(database, lambda: first)
        assert await log.end() == 0
        await database.write(events.append, 1_700_000_000_000, EventKind.POOL, None, {}, pool_id=second)
        await database.write(pools.ensure, "third", 1)
        await asyncio.sleep(0)
        read, reads = database.read, 0

        async def counted(work: Callable[..., Any], *args: Any) -> Any:
            nonlocal reads
            reads += 1
            return await read(work, *args)

        database.read = counted  # type: ignore[assignment,method-assign] # counts what it passes on
        assert (await log.end(), reads) == (0, 0)
        await database.write(events.append, 1_700_000_000_000, EventKind.POOL, None, {})
        assert (await log.end(), reads) == (2, 1)
        await database.close()


async def test_a_closed_engine_is_forgotten_by_the_database_it_shares(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        inspector = Inspector(FakeGateway(compat_config(["alpha"])), database, FakeClock(), Redactor())
        await inspector.open()
        await inspector.overview.read()
        await inspector.close()
        engine = weakref.ref(inspector)
        del inspector
        gc.collect()
        assert engine() is None
        await database.close()
