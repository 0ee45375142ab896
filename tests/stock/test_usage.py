"""Requests through a stock gateway are counted exactly, by subscription and by the queue."""

import asyncio
from pathlib import Path

import pytest

from adapter.clock import SystemClock
from adapter.port import Capability
from adapter.privacy.secret import Redactor
from extension.engine.usage.analysis import SummaryRequest
from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.service import UsageService
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.usage.names import NameKind
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period, SeriesStep, zone_of
from tests.contract.stock_stage import ProcessStage, stock, until

REQUESTS = 1_000
EVER = Period(0, 2**45)


@pytest.mark.parametrize("source", [CollectorSource.SUBSCRIPTION, CollectorSource.QUEUE])
async def test_every_request_through_a_stock_gateway_is_counted_once(tmp_path: Path, source: CollectorSource) -> None:
    (tmp_path / "gateway").mkdir()
    stage = await stock(tmp_path / "gateway")
    about = await stage.gateway.describe()
    if source is CollectorSource.SUBSCRIPTION and Capability.USAGE_SUBSCRIPTION not in about.capabilities:
        source = CollectorSource.QUEUE
    if source is CollectorSource.QUEUE:
        lacking = about.capabilities - {Capability.USAGE_SUBSCRIPTION}
        stage.gateway._about = type(about)(about.name, about.version, lacking, about.seconds_per_call)
    with DataFolder.open(tmp_path / "data") as folder:
        database = await Database.open(folder)
        usage = UsageService(stage.gateway, database, SystemClock(), Redactor(), installation_key=b"k" * 32)
        await usage.open()
        await usage.collector.switch(on=True)

        async def collecting() -> bool:
            return usage.collector.status.source is source

        await until(collecting)
        await _spend(stage)

        async def stored() -> bool:
            return usage.collector.status.stored >= REQUESTS

        await until(stored)
        request = SummaryRequest(EVER, zone_of("UTC"), NameKind.TOTAL, SeriesStep.NONE, UsageFilter(), 1)
        totals = (await usage.analysis.summary(request)).totals
        assert (totals.requests, totals.failed) == (REQUESTS, 0)
        assert (totals.tokens["input"], totals.tokens["output"], totals.total) == (
            12 * REQUESTS,
            30 * REQUESTS,
            42 * REQUESTS,
        )
        assert await usage.analysis.gaps(EVER) == ()
        await usage.close()
        await database.close()
    await stage.close()


async def _spend(stage: ProcessStage) -> None:
    waiting = asyncio.Semaphore(16)

    async def one() -> None:
        async with waiting:
            await stage.spend()

    await asyncio.gather(*(one() for _ in range(REQUESTS)))
