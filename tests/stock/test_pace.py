"""Pace of an inspection in a large pool on a stock gateway, beside a bare loop, and the latency of others meanwhile."""

import asyncio
import itertools
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import pytest

from adapter.contract.expectations import management
from adapter.port import Account, Answer, OutboundCall, Section
from tests.stock.gateway import KEY, Stock, stock_gateway
from tests.stock.table import FIGURE

KEYS = 10_000
SECONDS = 12.0
IN_FLIGHT = 4
WORKERS = 64
LEAST_PACE = 0.8
BEFORE_OTHERS_WAIT = 16
"""Calls in flight from the start, until others are seen to wait."""


@pytest.mark.timeout(300)
async def test_the_pace_is_that_of_a_bare_loop_unless_others_have_to_wait(
    tmp_path: Path, provider: str, record_property: Callable[[str, object], None]
) -> None:
    entries = [{"api-key": f"sk-claude-{number:05}", "base-url": provider} for number in range(KEYS)]
    async with (
        stock_gateway(tmp_path, {Section.CLAUDE.value: entries}, {}) as stock,
        aiohttp.ClientSession(stock.address) as client,
    ):
        accounts = itertools.cycle((await stock.connection.gateway.accounts()).accounts)
        idle = median([await _other(client) for _ in range(50)])
        rates: dict[str, list[float]] = {"bare": [], "ours": []}
        waits: list[float] = []
        beside_bare: list[float] = []
        for kind in ("bare", "ours", "bare", "ours"):
            call, workers = _bare(client, accounts, provider), IN_FLIGHT
            if kind == "ours":
                call, workers = _ours(stock, accounts, provider), WORKERS
            rate, waited = await _paced(client, call, workers)
            rates[kind].append(rate)
            (waits if kind == "ours" else beside_bare).extend(waited)
        limit = stock.connection.gateway.pace.limit
    pace = sum(rates["ours"]) / sum(rates["bare"])
    wait, others = median(waits) / idle, [1000 * span for span in (idle, median(waits), median(beside_bare))]
    record_property(
        FIGURE,
        f"{KEYS} keys: {sum(rates['ours']) / 2:.0f} calls/s, a bare loop with {IN_FLIGHT} in flight"
        f" {sum(rates['bare']) / 2:.0f}: {pace:.2f}; others wait {wait:.2f} times as long as idle"
        f" ({others[0]:.1f} and {others[1]:.1f} ms; beside the bare loop {others[2]:.1f});"
        f" {limit} calls in flight at the end",
    )
    assert pace >= LEAST_PACE or limit < BEFORE_OTHERS_WAIT, "slower than a bare loop, and not for the sake of others"


async def _paced(
    client: aiohttp.ClientSession, call: Callable[[], Awaitable[None]], workers: int
) -> tuple[float, list[float]]:
    """Call for some seconds with so many workers; return calls per second, and the times of other requests."""
    until = time.perf_counter() + SECONDS
    done = 0

    async def work() -> None:
        nonlocal done
        while time.perf_counter() < until:
            await call()
            done += 1

    working = [asyncio.create_task(work()) for _ in range(workers)]
    waited: list[float] = []
    while time.perf_counter() < until:
        waited.append(await _other(client))
        await asyncio.wait(working, timeout=0.2)
    await asyncio.gather(*working)
    return done / SECONDS, waited


def _ours(stock: Stock, accounts: Iterator[Account], provider: str) -> Callable[[], Awaitable[None]]:
    async def call() -> None:
        request = OutboundCall(next(accounts).ref, "GET", f"{provider}/v1/models", {"x-api-key": "$TOKEN$"})
        assert isinstance(await stock.connection.gateway.call(request, timeout=30), Answer)

    return call


def _bare(client: aiohttp.ClientSession, accounts: Iterator[Account], provider: str) -> Callable[[], Awaitable[None]]:
    async def call() -> None:
        body: dict[str, Any] = {
            "auth_index": next(accounts).auth_index,
            "method": "GET",
            "url": f"{provider}/v1/models",
            "header": {"x-api-key": "$TOKEN$"},
        }
        headers = {"X-Management-Key": KEY, "Content-Type": "application/json"}
        async with client.post(management("api-call"), data=json.dumps(body), headers=headers) as answer:
            assert (await answer.json())["status_code"] == 200

    return call


async def _other(client: aiohttp.ClientSession) -> float:
    """Return the seconds of a request of a client of the gateway's."""
    started = time.perf_counter()
    async with client.get("/v1/models", headers={"Authorization": "Bearer a-client-key"}) as answer:
        assert answer.status == 200
        await answer.read()
    return time.perf_counter() - started
