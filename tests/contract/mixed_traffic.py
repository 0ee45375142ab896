"""Mixed traffic through a real gateway, and a table of its counts and costs computed apart from the service."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp

from adapter.clock import SystemClock
from adapter.port import Capability
from adapter.privacy.secret import Redactor
from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.service import UsageService
from extension.store import prices
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.prices import NewPrice
from extension.store.usage.records import StoredEvent, UsageFilter
from extension.usage.calendar import Period
from tests.contract.embedded_stage import EmbeddedStage
from tests.contract.mixed_provider import MixedProvider, Spending, mixed
from tests.contract.stock_stage import ProcessStage, until

EVER = Period(0, 2**45)
_RATES = {
    "input": {"amount": "2.5", "per": 1_000_000, "above": [{"tokens": 1_000, "amount": "5"}]},
    "cache_read": {"amount": "0.25", "per": 1_000_000},
    "output": {"amount": "10", "per": 1_000_000},
    "reasoning": {"amount": "12", "per": 1_000_000},
}
_AT_ONCE = 16
Row = tuple[int, int, int, int, bool, int]
"""Input, cached, output, reasoning, failed, cost in pico-USD."""


def expected(spent: list[Spending]) -> Counter[Row]:
    """The table: a cost is tokens times millionths of a dollar, here times 100 so that cents of them are whole."""
    rows: Counter[Row] = Counter()
    for spending in spent:
        if spending.failed:
            rows[0, 0, 0, 0, True, 0] += 1
            continue
        fresh, plain = spending.prompt - spending.cached, spending.completion - spending.reasoning
        hundredths = fresh * (500 if spending.prompt > 1_000 else 250) + spending.cached * 25 + plain * 1_000
        hundredths += spending.reasoning * 1_200
        rows[fresh, spending.cached, plain, spending.reasoning, False, hundredths * 10_000] += 1
    return rows


Traffic = Callable[[list[Spending]], Awaitable[None]]
"""Sends requests to a gateway."""


async def counted(
    stage: ProcessStage | EmbeddedStage, traffic: Traffic, folder: Path, source: CollectorSource, count: int
) -> tuple[int, Counter[Row]]:
    """Send mixed traffic while usage is collected; return the number of gaps and the table of the stored events."""
    stage._server._provider = MixedProvider()
    if source is CollectorSource.QUEUE and isinstance(stage, ProcessStage):
        about = await stage.gateway.describe()
        lacking = about.capabilities - {Capability.USAGE_SUBSCRIPTION}
        stage.gateway._about = type(about)(about.name, about.version, lacking, about.seconds_per_call)
    with DataFolder.open(folder) as opened:
        database = await Database.open(opened)
        price = NewPrice("", "demo-model", "standard", None, _RATES, "override", "", "anna", 0)
        await database.write(lambda transaction: prices.put_price(transaction, price))
        usage = UsageService(stage.gateway, database, SystemClock(), Redactor(), installation_key=b"k" * 32)
        await usage.open()
        await usage.collector.switch(on=True)

        async def collecting() -> bool:
            return usage.collector.status.source is source

        await until(collecting)
        await traffic(mixed(count))

        async def stored() -> bool:
            return usage.collector.status.stored >= count

        await until(stored)
        events, _ = await usage.analysis.after(0, UsageFilter(), 10 * count)
        gaps = await usage.analysis.gaps(EVER)
        await usage.close()
        await database.close()
    return len(gaps), Counter(_row(event) for event in events)


def _row(event: StoredEvent) -> Row:
    tokens = event.event.tokens
    assert not event.partial
    assert event.pico_usd is not None, event
    assert tokens.total == tokens.classified
    return tokens.input, tokens.cache_read, tokens.output, tokens.reasoning, bool(event.event.failure), event.pico_usd


def over_network(stage: ProcessStage) -> Traffic:
    """Traffic to a gateway that runs as a process."""

    async def send(spent: list[Spending]) -> None:
        waiting = asyncio.Semaphore(_AT_ONCE)
        async with aiohttp.ClientSession() as client:

            async def one(spending: Spending) -> None:
                async with waiting, client.post(f"{stage._url}/v1/chat/completions", json=spending.body) as answer:
                    text = await answer.text()
                    assert answer.status == (400 if spending.failed else 200), text

            await asyncio.gather(*(one(spending) for spending in spent))

    return send


def in_process(stage: EmbeddedStage) -> Traffic:
    """Traffic to a gateway within this process."""

    async def send(spent: list[Spending]) -> None:
        for spending in spent:
            assert await stage.complete(spending.body) == (400 if spending.failed else 200)

    return send
