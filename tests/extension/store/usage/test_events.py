"""Events are stored once and read back as they were; the state of the collector is guarded by its epoch."""

from dataclasses import replace

import pytest

from extension.store.database.database import Database, Transaction
from extension.store.usage import collection, events
from extension.store.usage.collection import MOST_LETTERS, LeaseLost
from extension.store.usage.ingest import Stored, prune
from extension.store.usage.records import CollectorState, StoredEvent, UsageFilter
from extension.usage.calendar import Period
from tests.extension.store.rows import BOTH_DATABASES, add_pool
from tests.extension.store.usage.samples import DAY, START, cost_of, store_all
from tests.extension.store.usage.samples import events as drawn

WEEK = Period(START, START + 7 * DAY)


@BOTH_DATABASES
async def test_events_are_read_back_as_they_were_page_by_page_and_newest_first(database: Database) -> None:
    stored = drawn(250)

    def look(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)
        store_all(transaction, pool_id, stored)
        stored_events: list[StoredEvent] = []
        before = None
        while page := events.page(transaction, pool_id, UsageFilter(), WEEK, before=before, limit=40):
            stored_events += page
            before = (page[-1].event.at, page[-1].seq)
        assert sorted((stored_event.event for stored_event in stored_events), key=repr) == sorted(stored, key=repr)
        assert [stored_event.event.at for stored_event in stored_events] == sorted(
            (stored_event.at for stored_event in stored), reverse=True
        )
        for stored_event in stored_events:
            cost = cost_of(stored_event.event)
            assert (stored_event.pico_usd, stored_event.price_version, stored_event.partial) == (
                (None, "", False) if cost is None else (cost.pico_usd, cost.price_version, cost.partial)
            )

    await database.write(look)


@BOTH_DATABASES
async def test_an_event_that_comes_twice_is_stored_once(database: Database) -> None:
    stored = drawn(60)

    def twice(transaction: Transaction) -> list[Stored]:
        pool_id = add_pool(transaction)
        return [store_all(transaction, pool_id, part) for part in (stored[:40] + stored[:5], stored, stored)]

    results = await database.write(twice)

    assert [(stored_event.new, stored_event.duplicates) for stored_event in results] == [(40, 5), (20, 40), (0, 60)]


async def test_events_after_a_number_come_in_the_order_of_storing_and_the_cursor_passes_those_unwanted(
    database: Database,
) -> None:
    stored = drawn(100)
    usage_filter = UsageFilter(model="model-1")

    def look(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)
        store_all(transaction, pool_id, stored)
        cursor = 0
        events_read: list[StoredEvent] = []
        while True:
            page, following = events.after(transaction, pool_id, cursor, usage_filter, 30)
            if following == cursor:
                break
            events_read += page
            cursor = following
        assert [stored_event.event for stored_event in events_read] == [one for one in stored if one.model == "model-1"]
        assert cursor == events.newest(transaction) == 100

    await database.write(look)


@BOTH_DATABASES
async def test_the_oldest_events_go_by_days_and_by_bytes_and_rollups_stay(database: Database) -> None:
    def look(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)
        store_all(transaction, pool_id, drawn(100))
        collection.claim(transaction, pool_id, "one", now=0, term_ms=1, alone=True)
        now = START + 7 * DAY
        removed = prune(transaction, pool_id, now, keep_days=3, keep_bytes=10**9)
        old = sum(stored_event.at < now - 3 * DAY for stored_event in drawn(100))
        assert removed == old > 0
        assert prune(transaction, pool_id, now, keep_days=3, keep_bytes=10 * 300) == 100 - old - 10
        remaining = events.page(transaction, pool_id, UsageFilter(), WEEK, before=None, limit=100)
        assert [stored_event.event for stored_event in remaining] == sorted(drawn(100), key=lambda one: -one.at)[:10]
        assert prune(transaction, pool_id, now, keep_days=3, keep_bytes=10 * 300) == 0
        state = collection.state(transaction, pool_id)
        assert state is not None
        assert remaining[-1].event.at >= state.pruned_before > now - 3 * DAY
        hours = transaction.exec_driver_sql("SELECT sum(requests) FROM usage_hours WHERE dimension = 0").scalar()
        assert hours == 100

    await database.write(look)


async def test_one_collector_has_the_lease_and_a_late_one_changes_nothing(database: Database) -> None:
    def look(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)

        def claim(owner: str, now: int, *, alone: bool = False) -> CollectorState | None:
            return collection.claim(transaction, pool_id, owner, now=now, term_ms=10, alone=alone)

        def advance(epoch: int) -> None:
            collection.advance(transaction, pool_id, epoch, covered_until=7, expires_at=20, source="queue", clean=False)

        first = claim("one", 0)
        assert first is not None
        assert (first.epoch, first.covered_until, first.clean) == (1, 0, True)
        assert claim("two", 5) is None
        advance(first.epoch)
        second = claim("two", 21)
        assert second is not None
        assert (second.epoch, second.covered_until, second.clean, second.source) == (2, 7, False, "queue")
        with pytest.raises(LeaseLost):
            advance(first.epoch)
        third = claim("three", 22, alone=True)
        assert third is not None
        assert third.epoch == 3

    await database.write(look)


async def test_gaps_are_found_where_they_touch_a_period_and_the_newest_letters_are_kept(database: Database) -> None:
    def look(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)
        for start in (0, 10, 20):
            collection.add_gap(transaction, pool_id, start, start + 5, kind="disconnected", missing=None)
        assert [gap.start_at for gap in collection.gaps_touching(transaction, pool_id, 5, 20, 10)] == [0, 10, 20]
        assert [gap.start_at for gap in collection.gaps_touching(transaction, pool_id, 6, 19, 10)] == [10]
        assert [gap.start_at for gap in collection.gaps_touching(transaction, pool_id, 0, 99, 2)] == [10, 20]
        for start in (100, 105):
            collection.add_gap(transaction, pool_id, start, start + 5, kind="unrecorded", missing=2)
        counted = collection.gaps_touching(transaction, pool_id, 100, 110, 10)
        assert [(gap.start_at, gap.end_at, gap.missing) for gap in counted] == [(100, 110, 4)]
        letters = [(number, "no_time", "timestamp", "{}") for number in range(MOST_LETTERS + 5)]
        collection.add_letters(transaction, pool_id, letters)
        stored_events = collection.recent_letters(transaction, pool_id, MOST_LETTERS + 5)
        assert (len(stored_events), stored_events[0].at) == (MOST_LETTERS, MOST_LETTERS + 4)

    await database.write(look)


@BOTH_DATABASES
async def test_a_name_with_a_nul_character_costs_no_event(database: Database) -> None:
    stored = [replace(event, model="mo\0del") for event in drawn(3)]

    def look(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)
        assert store_all(transaction, pool_id, stored).new == 3
        page = events.page(transaction, pool_id, UsageFilter(), WEEK, before=None, limit=9)
        assert {stored_event.event.model for stored_event in page} == {"mo\ufffddel"}

    await database.write(look)
