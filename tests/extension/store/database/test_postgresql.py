"""Several processes on one PostgreSQL: commits in order, commits announced, sessions that end."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import text

from adapter.privacy.secret import Secret
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.event_pools import INSTALLATION, EventPools
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.errors import DatabaseTrouble
from extension.store.pool import pools
from extension.store.records import EventKind
from tests.extension.store.rows import NOW
from tests.postgresql.server import PostgreSQLServer, running_server


@pytest.fixture
async def pair(folder: DataFolder, postgresql: PostgreSQLStorage) -> AsyncIterator[tuple[Database, Database]]:
    """Two processes' views of one database."""
    both = (await Database.open(folder, storage=postgresql), await Database.open(folder, storage=postgresql))
    yield both
    for database in both:
        await database.close()


async def test_no_reader_skips_an_event_whose_commit_is_delayed(pair: tuple[Database, Database]) -> None:
    first, second = pair
    entered, gate = threading.Event(), threading.Event()

    def slow(transaction: Transaction) -> None:
        add_event(transaction)
        entered.set()
        assert gate.wait(10)

    delayed = asyncio.ensure_future(first.write(slow))
    await asyncio.to_thread(entered.wait, 10)
    quick = asyncio.ensure_future(second.write(add_event))
    while not quick.done() and await second.read(waiting_writers) == 0:
        pass  # each look waits for the database
    seen = await numbers_after(second, 0)
    gate.set()
    await asyncio.gather(delayed, quick)
    seen += await numbers_after(second, max(seen, default=0))
    assert seen == [1, 2]


async def test_the_end_of_the_watch_cuts_off_no_write_of_a_server_that_answers(pair: tuple[Database, Database]) -> None:
    database, _ = pair
    watching = asyncio.create_task(database.watch())
    entered, gate = threading.Event(), threading.Event()

    def slow(transaction: Transaction) -> None:
        add_event(transaction)
        entered.set()
        assert gate.wait(10)

    last = asyncio.ensure_future(database.write(slow))
    await asyncio.to_thread(entered.wait, 10)
    watching.cancel()
    await asyncio.wait({watching})
    gate.set()
    await last
    assert await numbers_after(database, 0) == [1]


async def test_a_commit_of_one_process_wakes_the_readers_of_another(pair: tuple[Database, Database]) -> None:
    first, second = pair
    grown = asyncio.Event()
    second.on_commit(grown.set)
    while await first.read(listeners) < 2:
        pass  # each look waits for the database
    await first.read(listeners)  # a connection that begins to listen announces itself, too
    grown.clear()
    await first.write(add_event)
    await asyncio.wait_for(grown.wait(), 10)


async def test_a_commit_names_the_pools_with_new_events_to_another_process(pair: tuple[Database, Database]) -> None:
    first, second = pair
    heard: asyncio.Queue[EventPools] = asyncio.Queue()
    second.on_events(heard.put_nowait)
    while await first.read(listeners) < 2:
        pass  # each look waits for the database
    async with asyncio.timeout(10):
        pool_id = await first.write(pools.ensure, "east", 1)
        while await heard.get() != frozenset():
            pass  # a connection that begins to listen announces itself, too
        await first.write(events.append, NOW, EventKind.POOL, None, {}, pool_id=pool_id)
        assert await heard.get() == frozenset({pool_id})
        await first.write(add_event)
        assert await heard.get() == frozenset({INSTALLATION})


async def test_a_server_that_was_restarted_costs_no_write(folder: DataFolder) -> None:
    with running_server() as server:
        database = await opened(folder, server)
        await database.write(add_event)
        await asyncio.to_thread(server.stop)
        with pytest.raises(DatabaseTrouble, match="Check that PostgreSQL runs"):
            await database.write(add_event)
        with pytest.raises(DatabaseTrouble, match="Check that PostgreSQL runs"):
            await database.read(events.newest)
        await asyncio.to_thread(server.start)
        await database.write(add_event)
        assert len(await numbers_after(database, 0)) == 2
        await database.close()


async def test_a_process_stopped_within_a_transaction_gives_the_lock_back(pair: tuple[Database, Database]) -> None:
    first, second = pair
    entered, gate = threading.Event(), threading.Event()

    def stopped(transaction: Transaction) -> None:
        transaction.execute(text("SET idle_in_transaction_session_timeout = 200"))
        add_event(transaction)
        entered.set()
        assert gate.wait(20)
        add_event(transaction)

    late = asyncio.ensure_future(first.write(stopped))
    await asyncio.to_thread(entered.wait, 10)
    await second.write(add_event)
    gate.set()
    with pytest.raises(DatabaseTrouble):
        await late
    assert len(await numbers_after(second, 0)) == 1
    await first.write(add_event)


@pytest.mark.soak
async def test_a_process_stopped_while_it_sends_a_statement_gives_the_lock_back(
    pair: tuple[Database, Database], postgresql: PostgreSQLStorage
) -> None:
    with closing(postgresql.writing_engine().connect()) as stopped:
        add_event(stopped)
        driver = stopped.connection.driver_connection
        assert driver is not None
        driver.pgconn.enter_pipeline_mode()
        driver.pgconn.send_query_params(b"SELECT 1", None)
        driver.pgconn.send_flush_request()
        driver.pgconn.flush()
        # The server does not end this session by itself: it waits for the end of what it is sent.
        await pair[1].write(add_event)
        stopped.invalidate()
    assert len(await numbers_after(pair[1], 0)) == 1


async def test_only_sessions_that_hold_the_lock_are_ended_for_resting(pair: tuple[Database, Database]) -> None:
    def limit(transaction: Transaction) -> object:
        return transaction.execute(text("SHOW idle_in_transaction_session_timeout")).scalar()

    assert await pair[0].read(limit) == "0"
    assert await pair[0].write(limit) == "5s"


async def test_a_question_is_planned_for_its_own_values_however_often_it_is_asked(
    pair: tuple[Database, Database],
) -> None:
    def plans(transaction: Transaction) -> object:
        return transaction.execute(text("SHOW plan_cache_mode")).scalar()

    assert await pair[0].read(plans) == "force_custom_plan"
    assert await pair[0].write(plans) == "auto"


async def test_text_with_a_nul_character_is_stored_without_it(pair: tuple[Database, Database]) -> None:
    number = await pair[0].write(lambda transaction: pools.ensure(transaction, "a\0b", NOW))
    with_nul = await pair[1].read(lambda transaction: pools.automation_pause(transaction, number))
    assert with_nul is None


@pytest.mark.parametrize(
    "address",
    ["postgresql://who:hunter22secret@127.0.0.1:1/x", "postgresql://hunter22secret@/x?host=/nowhere", "hunter22secret"],
)
async def test_a_database_that_cannot_be_reached_is_reported_without_its_address(
    folder: DataFolder, address: str
) -> None:
    storage = PostgreSQLStorage(Secret(address))
    assert "hunter22secret" not in repr(storage)
    with pytest.raises(DatabaseTrouble) as caught:
        await Database.open(folder, storage=storage)
    chain = [caught.value, caught.value.__cause__]
    assert not any("hunter22secret" in str(error) for error in chain)


async def test_a_database_in_another_encoding_is_refused(
    folder: DataFolder, postgresql_server: PostgreSQLServer
) -> None:
    with psycopg.connect(postgresql_server.address("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    with pytest.raises(DatabaseTrouble, match="LATIN1"):
        await Database.open(folder, storage=PostgreSQLStorage(Secret(postgresql_server.address("latin"))))
    postgresql_server.drop("latin")


def add_event(transaction: Transaction) -> None:
    events.append(transaction, NOW, EventKind.POOL, None, {})


def listeners(transaction: Transaction) -> int:
    sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    return int(transaction.execute(text(sessions)).scalar_one())


def waiting_writers(transaction: Transaction) -> int:
    query = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    return int(transaction.execute(query).scalar_one())


async def numbers_after(database: Database, seq: int) -> list[int]:
    rows = await database.read(lambda transaction: events.after(transaction, seq, None, 10))
    return [event.seq for event in rows]


async def opened(folder: DataFolder, server: PostgreSQLServer) -> Database:
    return await Database.open(folder, storage=PostgreSQLStorage(Secret(server.address(server.create()))))


def test_every_connection_ends_when_the_server_is_cut_off_without_a_word(postgresql: PostgreSQLStorage) -> None:
    for engine in (postgresql.writing_engine(), postgresql.reading_engine(), postgresql.migrating_engine()):
        with engine.connect() as connection:
            used = connection.connection.dbapi_connection
            assert isinstance(used, psycopg.Connection)
            limits = used.info.get_parameters()
        engine.dispose()
        assert (limits["tcp_user_timeout"], limits["keepalives_idle"]) == ("5000", "5")
