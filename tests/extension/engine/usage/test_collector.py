"""The collector loses nothing silently: what it cannot have is a gap with its bounds."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapter.port import Capability, UsageState, errors
from adapter.privacy.secret import Secret
from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.coverage import Gap, GapKind, absence
from extension.store.data_folder import DataFolder
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.errors import DatabaseTrouble
from extension.store.usage.collection import LeaseLost
from extension.store.usage.records import CollectorState
from tests.extension.engine.usage.stage import (
    WITHOUT_SUBSCRIPTION,
    CollectorStage,
    WatchedDatabase,
    closed,
    collecting,
    killed,
    source_of,
)
from tests.postgresql.server import PostgreSQLServer, running_server

BOTH = pytest.mark.parametrize("capabilities", [frozenset(Capability), WITHOUT_SUBSCRIPTION])


@BOTH
async def test_what_waited_and_what_comes_is_stored_once_and_in_order(
    folder: DataFolder, capabilities: frozenset[Capability]
) -> None:
    stage = CollectorStage(folder, capabilities)
    stage.spend(1_200)
    collector = await stage.open()
    await stage.stored_count(collector, 1_200)
    for number in range(1, 6):
        stage.spend(100)
        await stage.stored_count(collector, 1_200 + 100 * number)
    await stage.stored_count(collector, 1_700)

    assert collector.status.source is source_of(capabilities)
    assert sorted(await stage.stored()) == list(range(1, 1_701))
    assert await stage.gaps() == ()
    await closed(stage, collector)


@BOTH
async def test_a_clean_restart_within_the_retention_leaves_no_gap(
    folder: DataFolder, capabilities: frozenset[Capability]
) -> None:
    stage, collector = await collecting(folder, capabilities)
    stage.spend(3)
    await closed(stage, collector)
    stage.spend(4)
    await stage.clock.advance(20)
    collector = await stage.open()
    await stage.stored_count(collector, 4)

    assert await stage.stored() == [1, 2, 3, 4, 5, 6, 7]
    assert await stage.gaps() == ()
    await closed(stage, collector)


async def test_an_absence_longer_than_the_retention_is_a_gap(folder: DataFolder) -> None:
    stage, collector = await collecting(folder)
    await closed(stage, collector)
    stopped = stage.clock.now_ms()
    await stage.clock.advance(600)
    started = stage.clock.now_ms()
    collector = await stage.open()
    await stage.until(lambda: collector.status.source is CollectorSource.SUBSCRIPTION)

    (gap,) = await stage.gaps()
    assert gap.kind == GapKind.STOPPED
    assert gap.start_at <= stopped
    assert gap.end_at == started - 60_000
    await closed(stage, collector)


async def test_a_broken_subscription_is_a_gap_and_goes_on_without_a_record_twice(folder: DataFolder) -> None:
    stage, collector = await collecting(folder)
    for number in range(1, 11):
        stage.spend(50)
        await stage.stored_count(collector, 70 * number - 20)
        broken = stage.clock.now_ms()
        stage.gateway.usage.disconnect()
        stage.spend(20)  # these wait in the queue until the next subscription
        await stage.stored_count(collector, 70 * number)
        gaps = await stage.gap_count(number)
        assert len(gaps) == number
        assert gaps[-1].kind == GapKind.DISCONNECTED
        assert gaps[-1].start_at <= broken <= gaps[-1].end_at

    assert sorted(await stage.stored()) == list(range(1, 701))
    await closed(stage, collector)


async def test_an_overflow_is_a_gap_and_the_queue_repairs_all_but_the_one_record(folder: DataFolder) -> None:
    stage, collector = await collecting(folder)
    stage.spend(400)  # in one turn of the loop: more than the subscriber's buffer
    await stage.stored_count(collector, 399)

    assert sorted(await stage.stored()) == [number for number in range(1, 401) if number != 257]
    assert [gap.kind for gap in await stage.gap_count(1)] == [GapKind.DISCONNECTED]
    await closed(stage, collector)


@BOTH
async def test_a_gateway_that_is_away_is_a_gap_with_its_bounds(
    folder: DataFolder, capabilities: frozenset[Capability]
) -> None:
    stage, collector = await collecting(folder, capabilities)
    stage.spend(5)
    await stage.stored_count(collector, 5)
    stage.gateway.fail("pop_usage", *[errors.Unavailable("it is away")] * 3)
    stage.gateway.fail("usage_state", *[errors.Unavailable("it is away")] * 3)
    away = stage.clock.now_ms()
    stage.gateway.usage.restart()
    await stage.until(lambda: bool(collector.status.problem))
    stage.spend(6)
    await stage.stored_count(collector, 11)

    (gap,) = await stage.gaps()
    assert gap.start_at <= away + 1_100
    assert gap.end_at >= gap.start_at
    assert not collector.status.problem
    await closed(stage, collector)


async def test_a_killed_service_leaves_a_gap_and_nothing_twice(folder: DataFolder) -> None:
    stage, collector = await collecting(folder)
    stage.spend(5)
    await stage.stored_count(collector, 5)
    await killed(stage, collector)
    dead_since = stage.clock.now_ms()
    await stage.clock.advance(3)
    stage.spend(2)
    collector = await stage.open()
    await stage.stored_count(collector, 2)

    assert await stage.stored() == [1, 2, 3, 4, 5, 6, 7]
    (gap,) = await stage.gaps()
    assert (gap.kind, gap.missing) == (GapKind.STOPPED, None)
    assert gap.start_at <= dead_since
    assert gap.end_at >= dead_since + 3_000
    await closed(stage, collector)


async def test_records_wait_for_a_database_that_refuses(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, collector = await collecting(folder, WITHOUT_SUBSCRIPTION)
    write, refusals = stage.database.write, 4

    async def refusing(work: object) -> object:
        nonlocal refusals
        if refusals:
            refusals -= 1
            raise DatabaseTrouble("The disk is full.")
        return await write(work)  # type: ignore[arg-type]  # it is a function of a transaction

    monkeypatch.setattr(stage.database, "write", refusing)
    stage.spend(7)
    await stage.until(lambda: collector.status.problem.text == "The disk is full.")
    await stage.stored_count(collector, 7)

    assert await stage.stored() == [1, 2, 3, 4, 5, 6, 7]
    assert await stage.gaps() == ()
    await closed(stage, collector)


async def test_a_collector_that_wakes_up_late_changes_nothing(folder: DataFolder) -> None:
    stage, collector = await collecting(folder, WITHOUT_SUBSCRIPTION)
    late = stage.writer
    other = await stage.collector(alone=True)
    assert await stage.writer.claim("another", 10**9, alone=True) is not None

    with pytest.raises(LeaseLost):
        await late.write((), 0, None, source="queue", term_ms=1)
    stage.spend(3)
    # What it popped before it noticed is stored all the same, as it exists nowhere else.
    await stage.stored_count(collector, 3)
    await closed(stage, collector)
    assert other.status.stored == 0


async def test_an_unreadable_record_is_a_dead_letter_and_the_rest_is_stored(folder: DataFolder) -> None:
    stage = CollectorStage(folder, WITHOUT_SUBSCRIPTION)
    stage.spend(2)
    stage.spend(1, timestamp="never")
    stage.spend(1)
    collector = await stage.open()
    await stage.stored_count(collector, 3)

    assert collector.status.unreadable == 1
    await closed(stage, collector)


async def test_recording_that_is_off_is_left_off_and_no_gap(folder: DataFolder) -> None:
    stage = CollectorStage(folder)
    stage.gateway.usage.switch(on=False)
    collector = await stage.open()
    await stage.until(lambda: collector.status.recording is False)
    await stage.clock.advance(100)
    assert stage.gateway.usage.state() == UsageState(recording=False, retention=60.0)
    await collector.switch(on=True)
    await stage.until(lambda: collector.status.source is CollectorSource.SUBSCRIPTION)
    stage.spend(1)
    await stage.stored_count(collector, 1)

    assert await stage.gaps() == ()
    await closed(stage, collector)


async def test_an_idle_gateway_is_asked_every_two_minutes_and_what_its_queue_lost_before_is_a_gap(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = CollectorStage(folder)
    looks: list[int] = []
    read = stage.gateway.usage_state

    async def noted() -> UsageState:
        looks.append(stage.clock.now_ms())
        return await read()

    monkeypatch.setattr(stage.gateway, "usage_state", noted)
    stage.gateway.usage.switch(on=False)
    collector = await stage.open()
    await stage.until(lambda: collector.status.recording is False)
    await stage.rest(600)
    last, before = looks[-1], looks[-2]
    assert last - before == 120_000
    stage.gateway.usage.switch(on=True)
    await stage.rest(120)
    stage.spend(1)
    await stage.stored_count(collector, 1)

    (gap,) = await stage.gaps()
    assert (gap.start_at - last, gap.end_at - last, gap.kind) == (0, 60_000, GapKind.EXPIRED)
    await closed(stage, collector)


@pytest.mark.parametrize(
    ("clean", "source", "retention", "gap"),
    [
        (True, "queue", 60.0, Gap(1_000, 40_000, GapKind.STOPPED)),
        (True, "queue", 100.0, None),
        (True, "queue", None, None),
        (False, "queue", 1_000.0, Gap(1_000, 100_000, GapKind.STOPPED)),
        (False, "none", 1.0, None),
        (True, "", 1.0, None),
    ],
)
def test_an_absence_is_what_the_queue_cannot_have_kept(
    clean: bool, source: str, retention: float | None, gap: Gap | None
) -> None:
    before = CollectorState("one", 1, 0, 1_000, clean, source, 0)

    assert absence(before, UsageState(recording=True, retention=retention), 100_000) == gap


@pytest.fixture
def server() -> Iterator[PostgreSQLServer]:
    """A server of this test alone, which is stopped as by a power cut and waits for the disk."""
    with running_server(durable=True) as running:
        yield running


@pytest.mark.soak
async def test_a_restart_of_the_server_loses_no_popped_record_and_stores_none_twice(
    tmp_path: Path, server: PostgreSQLServer
) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        stage = CollectorStage(folder, WITHOUT_SUBSCRIPTION)
        storage = PostgreSQLStorage(Secret(server.address(server.create())))
        stage.database = await WatchedDatabase.open(folder, stage.clock, storage)
        collector = await stage.collector()
        collector.open()
        stage.spend(3)
        await stage.stored_count(collector, 3)

        await asyncio.to_thread(server.stop, "immediate")
        stage.spend(4)
        await stage.until(lambda: "Check that PostgreSQL runs" in collector.status.problem.text)
        stage.spend(2)
        await asyncio.to_thread(server.start)

        await stage.stored_count(collector, 9)
        assert await stage.stored() == list(range(1, 10))
        await closed(stage, collector)
