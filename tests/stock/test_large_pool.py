"""Ten thousand keys on a stock gateway: 500 of them switched off, and what an inspection leaves of the gateway."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

import pytest

from adapter.contract.expectations import management
from adapter.management.client.http import HttpTransport
from adapter.management.client.transport import Request
from adapter.port import Account, Answer, Applied, Change, OutboundCall, Section
from adapter.privacy.secret import Secret
from tests.stock.gateway import KEY, Stock, stock_gateway
from tests.stock.plugin.stock import processor_seconds
from tests.stock.table import FIGURE

KEYS = 10_000
SWITCHED = 500
PROBED = 120


def _claude(address: str, count: int) -> dict[str, Any]:
    return {
        Section.CLAUDE.value: [{"api-key": f"sk-claude-{number:05}", "base-url": address} for number in range(count)]
    }


async def test_five_hundred_of_ten_thousand_take_one_write_and_little_processor_time_and_nothing_else_changes(
    tmp_path: Path, provider: str, record_property: Callable[[str, object], None]
) -> None:
    async with stock_gateway(tmp_path, _claude(provider, KEYS), {}) as stock:
        before = stock.sections()
        started = time.perf_counter()
        pool = await stock.connection.gateway.accounts()
        listed = time.perf_counter() - started
        changes = [
            Change(account.ref, disabled=True, expect=account.revision)
            for account in pool.accounts[:: KEYS // SWITCHED]
        ]
        started, used = time.perf_counter(), _used(stock) + time.process_time()
        outcomes = await stock.connection.gateway.set_disabled(changes)
        seconds, used = time.perf_counter() - started, _used(stock) + time.process_time() - used
        assert [type(outcome) for outcome in outcomes] == [Applied] * SWITCHED
        after = stock.sections()
        window = stock.connection.gateway._status_updater.writer.window
    record_property(
        FIGURE,
        f"{KEYS} keys listed in {listed:.2f} s; {SWITCHED} switched off and read back in {seconds:.2f} s"
        f" ({used:.2f} s of processor time of both processes), nothing else changed; between the last reading and the"
        f" write lay {window * 1000:.0f} ms",
    )
    assert used < 10
    for entry in before[Section.CLAUDE.value][:: KEYS // SWITCHED]:
        entry["excluded-models"] = ["*"]
    assert {name: after[name] for name in before} == before


@pytest.mark.timeout(300)
async def test_a_gateway_with_a_hashed_key_keeps_answering_others_during_an_inspection(
    tmp_path: Path, provider: str, record_property: Callable[[str, object], None]
) -> None:
    async with stock_gateway(tmp_path, _claude(provider, PROBED), {}, bcrypt=True) as stock:
        other = HttpTransport(stock.address, Secret(KEY))
        before = _used(stock)
        idle = [await _taken(other) for _ in range(30)]
        cost = (_used(stock) - before) / len(idle)
        calling = asyncio.create_task(_call_all(stock, provider))
        busy: list[float] = []
        meanwhile: list[float] = []
        while not calling.done():
            before = _used(stock)
            busy.append(await _taken(other))
            meanwhile.append(_used(stock) - before)
            await asyncio.wait([calling], timeout=0.1)
        seconds = await calling
        await other.close()
    # Processor time of the gateway during such a call, in calls: with so many beside it, it takes twice as long at most
    # on an idle machine.
    beside = mean(meanwhile) / cost
    record_property(
        FIGURE,
        f"a call of somebody else with a bcrypt key: idle {_shown(idle)}, during an inspection {_shown(busy)}:"
        f" {median(busy) / median(idle):.2f} times as long, among {beside:.1f} calls;"
        f" {PROBED} probes in {seconds:.1f} s",
    )
    assert beside < 2 * (os.cpu_count() or 1)


def _used(stock: Stock) -> float:
    return processor_seconds(stock.process.pid)


def _shown(seconds: list[float]) -> str:
    return f"{median(seconds) * 1000:.0f} ms (p95 {quantiles(seconds, n=20)[-1] * 1000:.0f} ms, n={len(seconds)})"


async def _call_all(stock: Stock, address: str) -> float:
    """Call with every account, as many at once as an inspection would."""
    pool = await stock.connection.gateway.accounts()
    remaining = iter(pool.accounts)
    started = time.perf_counter()
    await asyncio.gather(*(_worker(stock, remaining, address) for _ in range(64)))
    return time.perf_counter() - started


async def _worker(stock: Stock, remaining: Any, address: str) -> None:
    account: Account
    for account in remaining:
        request = OutboundCall(account.ref, "GET", f"{address}/v1/models", {"x-api-key": "$TOKEN$"})
        assert isinstance(await stock.connection.gateway.call(request, timeout=30), Answer)


async def _taken(transport: HttpTransport) -> float:
    started = time.perf_counter()
    reply = await transport.send(Request("GET", management("debug")))
    assert reply.status == 200
    return time.perf_counter() - started
