"""Requests that a gateway counts and makes no record of."""

import asyncio
from collections.abc import Mapping

import pytest

from adapter.clock import FakeClock
from adapter.fake.gateway import FakeGateway
from adapter.port import Activity
from adapter.privacy.secret import Redactor
from extension.engine.usage.counters import CounterBalance
from extension.engine.usage.service import UsageService
from extension.store.data_folder import DataFolder
from extension.store.usage.records import GapRecord
from extension.usage.calendar import Period
from tests.extension.engine.usage.stage import WatchedDatabase

Look = tuple[Mapping[str, int], Mapping[str, int], Mapping[str, int], int]
"""Records before, counters, records after, and the number of records that are missing since the look before."""


@pytest.mark.parametrize(
    "looks",
    [
        [({"a": 1}, {"a": 5}, {"a": 1}, 0), ({}, {"a": 6}, {"a": 2}, 0), ({}, {"a": 9}, {"a": 3}, 2)],
        [({}, {"a": 5}, {}, 0), ({}, {"a": 6}, {}, 1), ({}, {"a": 6}, {}, 0), ({}, {"a": 7}, {}, 1)],
        # a record that arrives late, of a request before the first look, hides one and invents none
        [({}, {"a": 5}, {"a": 1}, 0), ({}, {"a": 6}, {"a": 2}, 0)],
        # records that the counters do not show
        [({}, {"a": 5}, {}, 0), ({}, {"a": 5, "b": 1}, {"a": 3, "b": 1}, 0)],
        # another start of the gateway
        [({}, {"a": 5}, {}, 0), ({"a": 2}, {"a": 1}, {"a": 3}, 0), ({}, {"a": 2}, {"a": 2}, 1)],
        # more of one account does not make up for less of another
        [({}, {"a": 0, "b": 0}, {}, 0), ({}, {"a": 2, "b": 0}, {"b": 7}, 2)],
    ],
    ids=["two of three", "reported once", "late", "more records", "restart", "two accounts"],
)
def test_what_is_missing_is_what_the_counters_show_beyond_the_records(looks: list[Look]) -> None:
    (before, counted, _, _), *later = looks
    balance = CounterBalance(before, counted, 0)
    for before, counted, after, missing in later:
        assert balance.look(before, counted, after, 60)[0] == missing


def test_what_later_records_hid_is_missing_since_the_look_that_nothing_could_hide_from() -> None:
    balance = CounterBalance({}, {"a": 5, "b": 0}, 1)
    assert balance.look({"a": 2}, {"a": 7, "b": 1}, {"a": 2, "b": 1}, 60) == (0, 60)
    assert balance.look({"a": 3, "b": 1}, {"a": 9, "b": 1}, {"a": 5, "b": 1}, 120) == (0, 120)
    assert balance.look({"a": 6, "b": 1}, {"a": 13, "b": 2}, {"a": 6, "b": 1}, 180) == (3, 60)
    assert balance.look({"a": 6, "b": 1}, {"a": 14, "b": 2}, {"a": 6, "b": 1}, 240) == (1, 180)


KEY = 'claude-api-key: [{api-key: "sk-ant-1", base-url: "https://one.example"}]'


@pytest.mark.parametrize("seconds", [1, 5, 140], ids=["in the first seconds", "in the first minute", "later"])
async def test_requests_without_a_record_are_a_gap_with_their_number(folder: DataFolder, seconds: int) -> None:
    clock = FakeClock()
    gateway = FakeGateway(KEY, clock=clock)
    gateway.usage.switch(on=True)
    database = await WatchedDatabase.open(folder, clock)
    service = UsageService(gateway, database, clock, Redactor(), installation_key=b"k" * 32)
    await service.open()

    async def after(seconds: int) -> tuple[GapRecord, ...]:
        end = clock.now_ms() + seconds * 1_000
        while clock.now_ms() < end:
            await asyncio.sleep(0.001)
            if clock.sleepers and not database.working:
                await clock.advance(1.0)
        return await service.analysis.gaps(Period(0, 2**45))

    assert await after(seconds) == ()
    (account,) = (await gateway.accounts()).accounts
    gateway.state.activity[account.names[0]] = Activity(successes=2, failures=1)
    (gap,) = await after(140)
    assert (gap.kind, gap.missing) == ("unrecorded", 3)
    assert gap.start_at < gap.end_at <= clock.now_ms()
    await service.close()
    await database.close()
