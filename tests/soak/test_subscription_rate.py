"""A subscription at thousands of records a second, with reconnects: none is lost, and each break is a gap."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapter.clock import SystemClock
from adapter.privacy.secret import Redactor
from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.service import UsageService
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period
from tests.extension.usage.samples import record
from tests.soak.subscription_server import SubscribedGateway, SubscriptionServer
from tests.soak.usage import usage_of

EVER = Period(0, 2**45)
_TICK = 0.005
_LOOKS = 24_000


@pytest.mark.soak
async def test_a_minute_of_five_thousand_records_a_second_with_ten_reconnects_loses_none(tmp_path: Path) -> None:
    await check(tmp_path, seconds=60, rate=5_000, reconnects=10)


@pytest.mark.slow
async def test_three_seconds_of_a_thousand_records_a_second_with_three_reconnects_lose_none(tmp_path: Path) -> None:
    await check(tmp_path, seconds=3, rate=1_000, reconnects=3)


async def check(path: Path, *, seconds: int, rate: int, reconnects: int) -> None:
    """Send records at a rate, print the figures, and hold the stored events against the numbers that were sent."""
    server = SubscriptionServer()
    port = await server.start()
    clock = SystemClock()
    with DataFolder.open(path / "data") as folder:
        database = await Database.open(folder)
        gateway = SubscribedGateway(server, port, clock)
        service = UsageService(gateway, database, clock, Redactor(), installation_key=b"k" * 32)
        await service.open()
        collector = service.collector
        await _reached(lambda: collector.status.source is CollectorSource.SUBSCRIPTION)
        before, began = usage_of(), time.monotonic()
        sent, behind = await _send(server, lambda: collector.status.stored, seconds, rate, reconnects)
        took = time.monotonic() - began
        await _reached(lambda: collector.status.stored >= sent - server.overflows)
        caught_up = time.monotonic() - began - took
        after = usage_of()
        stored = await _numbers(service)
        gaps = await service.analysis.gaps(EVER)
        await service.close()
        await database.close()
    await server.stop()
    print(
        f"\n{sent:,} records in {took:.1f} s ({sent / took:,.0f}/s), {reconnects} reconnects: {len(stored):,} stored, "
        f"{sent - len(stored)} lost, {server.overflows} overflows, at most {behind:,} behind, caught up after "
        f"{caught_up:.1f} s, {len(gaps)} gaps of {sum(gap.end_at - gap.start_at for gap in gaps) / 1000:.1f} s, "
        f"{after.cpu_seconds - before.cpu_seconds:.0f} s of processor, {after.peak_megabytes:.0f} MB"
    )

    assert server.overflows == 0, "the subscriber was 256 records behind"
    assert stored == list(range(1, sent + 1))
    assert [gap.kind for gap in gaps] == ["disconnected"] * reconnects


async def _send(
    server: SubscriptionServer, stored: Callable[[], int], seconds: int, rate: int, reconnects: int
) -> tuple[int, int]:
    """Publish evenly, and break the connection at even times; return how many were sent and the furthest behind."""
    head, _, tail = json.dumps(record(request_id="@", timestamp="#")).partition('"@"')
    breaks = [(number + 0.5) * seconds / reconnects for number in range(reconnects)]
    sent = behind = 0
    began = time.monotonic()
    while (elapsed := time.monotonic() - began) < seconds or breaks:
        at = datetime.now(UTC).isoformat()
        for _ in range(min(round(elapsed * rate), seconds * rate) - sent):
            sent += 1
            server.publish(f'{head}"{sent:x}"{tail}'.replace("#", at, 1).encode())
        if breaks and elapsed >= breaks[0] and server.subscribed:
            breaks.pop(0)
            server.disconnect()
        behind = max(behind, sent - stored())
        await asyncio.sleep(_TICK)
    return sent, behind


async def _numbers(service: UsageService) -> list[int]:
    found: list[int] = []
    seq = 0
    while True:
        events, last = await service.analysis.after(seq, UsageFilter(), 20_000)
        found += [each.event.request_id for each in events]
        if last == seq:
            return sorted(found)
        seq = last


async def _reached(reached: Callable[[], bool]) -> None:
    for _ in range(_LOOKS):
        if reached():
            return
        await asyncio.sleep(_TICK)
    raise AssertionError("it has not come about in time")
