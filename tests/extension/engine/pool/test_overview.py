import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from adapter.privacy.secret import Redactor
from extension.api.payloads.pool import SlimPoolAnswer
from extension.engine.event_log import EventLog
from extension.engine.inspector import Inspector
from extension.engine.pool.listing import PoolListing
from extension.engine.pool.overview import PoolOverview
from extension.engine.pool.table import PoolRow
from extension.inspection.accounts.account import Selection, Source
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.records import EventKind
from tests.extension.engine.scenario import WatchedGateway, compat_config, inspected, opened, settings


async def test_a_row_stays_the_same_object_until_something_in_it_changes(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha", "beta", "gamma"]))) as inspector:
        before = await rows(inspector)
        alpha = before["alpha"].listed.id

        await inspector.listing.set_flags([alpha], never_probe=True, managed=None)

        after = await rows(inspector)
        assert [name for name in before if before[name] is not after[name]] == ["alpha"]


async def test_a_switch_changes_the_row_of_its_account_alone(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta", "gamma"]))
    async with opened(tmp_path, gateway) as inspector:
        before = await rows(inspector)

        await inspector.commands.carry_out([before["beta"].listed.id], "disable", "anna")

        after = await rows(inspector)
        assert [name for name in before if before[name] is not after[name]] == ["beta"]
        assert after["beta"].listed.enabled is False


async def test_the_answer_is_that_of_now_after_flags_changes_and_runs(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha", "beta"]))) as inspector:
        first = await answered(inspector)
        numbers = [account["id"] for account in first]
        assert [account["lastResult"] for account in first] == [None, None]

        await inspector.listing.set_flags(numbers[:1], never_probe=None, managed=True)
        assert [account["managed"] for account in await answered(inspector)] == [True, False]

        await inspected(inspector, settings())
        assert [account["lastResult"]["run"] for account in await answered(inspector)] == [1, 1]

        await inspector.commands.carry_out(numbers[1:], "disable", "anna")
        third = await answered(inspector)
        assert [(account["enabled"], account["disabledBy"] is None) for account in third] == [
            (True, True),
            (False, False),
        ]

        await inspected(inspector, settings())
        assert [account["lastResult"]["run"] for account in await answered(inspector)] == [2, 2]
        assert [account["managed"] for account in await answered(inspector)] == [True, False]


async def rows(inspector: Inspector) -> dict[str, PoolRow]:
    table = await inspector.overview.read(Selection(Source.API_KEY))
    return {row.listed.facts.compat_name: row for row in table.rows}


async def answered(inspector: Inspector) -> list[dict[str, Any]]:
    table = await inspector.overview.read(Selection(Source.API_KEY))
    accounts: list[dict[str, Any]] = json.loads(SlimPoolAnswer.encoded(table, list(table.rows), len(table.rows), None))[
        "accounts"
    ]
    return accounts


class Progress:
    """A pool of two accounts that is read during a run, of which each call of `comes` stores some progress."""

    def __init__(self, database: Database, gateway: WatchedGateway, overview: PoolOverview, clock: FakeClock) -> None:
        self.gateway = gateway
        self.overview = overview
        self.clock = clock
        self._database = database

    async def comes(self, kind: EventKind = EventKind.RUN_PROGRESS) -> None:
        await self._database.write(events.append, 0, kind, None, {})

    async def readings(self) -> int:
        """Read the overview, and return how often the gateway was read so far."""
        await self.overview.read(Selection(Source.API_KEY))
        return self.gateway.readings


@asynccontextmanager
async def during_a_run(path: Path) -> AsyncIterator[Progress]:
    with DataFolder.open(path) as folder:
        database = await Database.open(folder)
        clock, gateway = FakeClock(), WatchedGateway(compat_config(["alpha", "beta"]))
        listing = PoolListing(gateway, database, clock, Redactor(), "pool")
        await listing.open()
        progress = Progress(database, gateway, PoolOverview(database, listing, EventLog(database), clock), clock)
        assert await progress.readings() == 1
        try:
            yield progress
        finally:
            await database.close()


async def test_while_only_progress_of_a_run_comes_readers_share_a_reading_for_six_seconds(tmp_path: Path) -> None:
    async with during_a_run(tmp_path) as progress:
        await progress.clock.advance(6)
        await progress.comes()
        assert await progress.readings() == 2
        for _ in range(5):
            await progress.comes(EventKind.RESULT)
            assert await progress.readings() == 2
            await progress.clock.advance(1)
        await progress.clock.advance(1)
        assert await progress.readings() == 3


async def test_any_other_news_is_answered_from_a_new_reading(tmp_path: Path) -> None:
    async with during_a_run(tmp_path) as progress:
        await progress.clock.advance(6)
        count = await progress.readings()
        for kind in set(EventKind) - {EventKind.RESULT, EventKind.RUN_PROGRESS, EventKind.RESET}:
            await progress.comes()
            await progress.comes(kind)
            await progress.clock.advance(1)
            assert await progress.readings() == (count := count + 1), kind


async def test_without_news_every_reader_gets_a_reading_of_now(tmp_path: Path) -> None:
    async with during_a_run(tmp_path) as progress:
        await progress.clock.advance(6)
        assert await progress.readings() == 2
        await progress.clock.advance(1)
        assert await progress.readings() == 3


async def test_rows_are_put_together_every_two_seconds_during_a_run(tmp_path: Path) -> None:
    async with during_a_run(tmp_path) as progress:
        await progress.clock.advance(6)
        versions = []
        for _ in range(4):
            await progress.comes()
            versions.append((await progress.overview.read()).version)
            await progress.clock.advance(1)
        assert [versions[0] == version for version in versions] == [True, True, False, False]
        assert versions[2] == versions[3]


async def test_pages_of_one_revision_come_from_one_reading_until_there_is_news_or_half_a_minute_is_over(
    tmp_path: Path,
) -> None:
    async with during_a_run(tmp_path) as progress:
        await progress.clock.advance(6)

        async def page(revision: str) -> int:
            await progress.overview.read(Selection(Source.API_KEY), revision=revision)
            return progress.gateway.readings

        revision = (await progress.overview.read()).revision
        assert await page(revision) == 2
        await progress.clock.advance(29)
        await progress.comes()
        assert await page(revision) == 2
        assert await page("another") == 3
        await progress.clock.advance(29)
        assert await page(revision) == 3
        await progress.clock.advance(1)
        assert await page(revision) == 4
        await progress.comes(EventKind.ACTION)
        assert await page(revision) == 5
