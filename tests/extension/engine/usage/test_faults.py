"""Faults of the machine: a locked database, a full disk, clocks that jump, a holder that wakes up after its term."""

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from adapter.port import Capability, UsageBatch
from extension.engine.usage.collector import RetryPauses
from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.coverage import Gap, GapKind, merged
from extension.store.data_folder import DataFolder
from extension.store.database import sqlite
from extension.store.database.database import Transaction
from extension.store.errors import DatabaseTrouble
from extension.store.usage import collection
from extension.store.usage.records import CollectorState
from tests.extension.engine.usage.stage import WITHOUT_SUBSCRIPTION, CollectorStage, closed, collecting, killed

JUMPS = (86_400.0, -86_400.0, 3.0, -3.0)


async def state_of(stage: CollectorStage) -> CollectorState:
    state = await stage.database.read(collection.state, 1)
    assert state is not None
    return state


async def test_no_popped_record_is_lost_while_another_program_locks_the_database(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_BUSY_SECONDS", 0.05)
    stage, collector = await collecting(folder, WITHOUT_SUBSCRIPTION)
    locker = sqlite3.connect(folder.database, isolation_level=None)
    locker.execute("BEGIN IMMEDIATE")
    stage.spend(9)
    await stage.until(lambda: "locked" in collector.status.problem.text)
    locker.execute("ROLLBACK")
    locker.close()
    await stage.stored_count(collector, 9)

    assert await stage.stored() == list(range(1, 10))
    assert await stage.gaps() == ()
    await closed(stage, collector)


async def test_no_popped_record_is_lost_while_the_disk_is_full(folder: DataFolder) -> None:
    stage, collector = await collecting(folder, WITHOUT_SUBSCRIPTION)

    def limit(transaction: Transaction, pages: int) -> None:
        # SQLite answers a page too many as it answers a disk without space: SQLITE_FULL.
        transaction.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    await stage.database.write(limit, 1)
    stage.spend(2_000, user_agent="x" * 50)
    await stage.until(lambda: "full" in collector.status.problem.text)
    await stage.database.write(limit, 2**30)
    await stage.stored_count(collector, 2_000)

    assert await stage.stored() == list(range(1, 2_001))
    assert await stage.gaps() == ()
    await closed(stage, collector)


@pytest.mark.parametrize("seconds", JUMPS)
async def test_a_clock_that_jumps_loses_no_record(folder: DataFolder, seconds: float) -> None:
    stage, collector = await collecting(folder, WITHOUT_SUBSCRIPTION)
    stage.spend(3)
    await stage.stored_count(collector, 3)
    stage.clock.jump(seconds)
    stage.spend(4)
    await stage.stored_count(collector, 7)
    stage.clock.jump(-seconds)
    stage.spend(5)
    await stage.stored_count(collector, 12)

    assert await stage.stored() == list(range(1, 13))
    await closed(stage, collector)


async def test_a_kill_after_which_the_clock_is_set_back_is_a_gap_still(folder: DataFolder) -> None:
    stage, collector = await collecting(folder)
    stage.spend(2)
    await stage.stored_count(collector, 2)
    await killed(stage, collector)
    stage.gateway.usage.disconnect()
    stage.clock.jump(-3_600)
    collector = await stage.open()
    await stage.until(lambda: collector.status.source is CollectorSource.SUBSCRIPTION)

    assert [gap.kind for gap in await stage.gaps()] == [GapKind.STOPPED]
    await closed(stage, collector)


async def test_a_holder_that_wakes_up_after_its_term_leaves_the_lease_and_loses_nothing(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = CollectorStage(folder, WITHOUT_SUBSCRIPTION)
    pop = stage.gateway.pop_usage
    stopped, go_on = asyncio.Event(), asyncio.Event()

    async def stopping(limit: int) -> object:
        """As SIGSTOP with records in hand: they are popped, and the process stands still."""
        batch = await pop(limit)
        if batch.records:
            stopped.set()
            await go_on.wait()
        return batch

    # Before the collector begins: a call that is under way would take the records past this.
    monkeypatch.setattr(stage.gateway, "pop_usage", stopping)
    collector = await stage.open()
    late = stage.writer
    stage.spend(3)
    await stage.until(stopped.is_set)
    stage.clock.jump(60)
    await stage.collector(alone=False)
    assert await stage.writer.claim("another", 10**9, alone=False) is not None
    await stage.writer.write((), stage.clock.now_ms(), None, source="queue", term_ms=10**9)
    before = await state_of(stage)
    go_on.set()
    await stage.until(lambda: collector.status.stored == 3)
    await stage.until(lambda: late.epoch is None)

    # The records it held exist nowhere else, so they are stored; everything of the lease is the other's.
    assert await stage.stored() == [1, 2, 3]
    assert await state_of(stage) == before
    assert before.owner == "another"
    await closed(stage, collector)


async def test_records_of_a_lost_lease_wait_for_a_database_that_refuses(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = CollectorStage(folder, WITHOUT_SUBSCRIPTION)
    collector = await stage.open()
    began = stage.clock.now_ms()
    await stage.until(lambda: collector.status.covered_until >= began)
    keep, refusals = stage.writer.keep, 2

    async def refusing(records: object) -> object:
        nonlocal refusals
        if refusals and records:
            refusals -= 1
            raise DatabaseTrouble("The disk is full.")
        return await keep(records)  # type: ignore[arg-type]  # they are records

    monkeypatch.setattr(stage.writer, "keep", refusing)
    await stage.collector()
    assert await stage.writer.claim("another", 10**9, alone=True) is not None
    stage.spend(3)
    await stage.stored_count(collector, 3)
    assert refusals == 0
    await closed(stage, collector)


@pytest.mark.parametrize("recording", [True, False], ids=["recording", "no longer recording"])
@pytest.mark.parametrize("capabilities", [frozenset(Capability), WITHOUT_SUBSCRIPTION], ids=["subscription", "queue"])
async def test_records_that_a_killed_service_took_first_of_all_are_within_a_gap(
    tmp_path: Path, capabilities: frozenset[Capability], recording: bool
) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        stage = CollectorStage(folder, capabilities)
        made = stage.clock.now_ms()
        stage.spend(3)
        stage.gateway.usage.switch(on=recording)
        await stage.clock.advance(2)
        stage.gateway.usage.lose_answer()
        collector = await stage.open()
        await stage.until(lambda: bool(collector.status.problem))
        await killed(stage, collector)

        again = await stage.open()
        await stage.until(lambda: again.status.recording is recording and again.status.covered_until > made)
        (gap,) = await stage.gaps()
        await closed(stage, again)

    assert gap.kind == GapKind.STOPPED
    assert gap.start_at <= made <= gap.end_at


def test_a_pause_doubles_up_to_a_limit_and_begins_anew_after_a_try_that_lasted() -> None:
    pauses = RetryPauses()

    assert [pauses.after() for _ in range(7)] == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0]
    assert pauses.after(lasted_ms=60_000) == 0.5
    assert pauses.after(lasted_ms=10) == 1.0


async def test_a_restart_of_the_gateway_is_one_gap_and_not_two_with_the_same_times(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a long subscription, the queue says of the first pop that records may have waited for too long in it."""
    stage, collector = await collecting(folder)
    stage.spend(5)
    await stage.stored_count(collector, 5)
    popped = stage.gateway.pop_usage

    async def late(count: int) -> UsageBatch:
        return replace(await popped(count), gap=True)

    monkeypatch.setattr(stage.gateway, "pop_usage", late)
    stage.gateway.usage.restart()
    stage.spend(6)
    await stage.stored_count(collector, 11)

    (gap,) = await stage.gap_count(1)
    assert (gap.kind, gap.missing) == (GapKind.DISCONNECTED, None)
    await closed(stage, collector)


def test_a_count_of_the_queue_is_kept_apart() -> None:
    broken, expired = Gap(5, 9, GapKind.DISCONNECTED), Gap(4, 10, GapKind.EXPIRED)

    assert merged(broken, expired) == (Gap(4, 10, GapKind.DISCONNECTED), None)
    assert merged(broken, replace(expired, missing=3)) == (broken, replace(expired, missing=3))
    assert merged(None, expired) == (None, expired)
