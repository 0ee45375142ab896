"""A subscription at thousands of records a second, with reconnects: none is lost, and each break is a gap."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
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
from tests.soak.subscription_server import Load, SubscribedGateway, serving
from tests.soak.usage import usage_of

EVER = Period(0, 2**45)
_TICK = 0.005
_LOOKS = 24_000


@pytest.mark.soak
async def test_a_minute_of_five_thousand_records_a_second_with_ten_reconnects_loses_none(tmp_path: Path) -> None:
    await check(tmp_path, Load(seconds=60, rate=5_000, reconnects=10))


async def check(path: Path, load: Load) -> None:
    """Send records at a rate, print the figures, and hold the stored events against the numbers that were sent."""
    clock = SystemClock()
    async with serving(load) as (port, pipe):
        with DataFolder.open(path / "data") as folder:
            database = await Database.open(folder)
            service = UsageService(
                SubscribedGateway(port, clock), database, clock, Redactor(), installation_key=b"k" * 32
            )
            await service.open()
            collector = service.collector
            await _reached(lambda: collector.status.source is CollectorSource.SUBSCRIPTION)
            before = usage_of().cpu_seconds
            pipe.send("begin")
            sent, overflows, took = await asyncio.to_thread(pipe.recv)
            behind, began = sent - collector.status.stored, time.monotonic()
            await _reached(lambda: collector.status.stored >= sent - overflows)
            caught_up, used = time.monotonic() - began, usage_of()
            stored = await _numbers(service)
            gaps = await service.analysis.gaps(EVER)
            await service.close()
            await database.close()
    print(
        f"\n{sent:,} records in {took:.1f} s ({sent / took:,.0f}/s), {load.reconnects} reconnects: "
        f"{len(stored):,} stored, {sent - len(stored)} lost, {overflows} overflows; {behind:,} behind at the end, "
        f"caught up after {caught_up:.1f} s; {len(gaps)} gaps of "
        f"{sum(gap.end_at - gap.start_at for gap in gaps) / 1000:.1f} s in all; "
        f"{used.cpu_seconds - before:.0f} s of processor, {used.peak_megabytes:.0f} MB"
    )

    assert overflows == 0, "the subscriber was 256 records behind"
    assert stored == list(range(1, sent + 1))
    assert [gap.kind for gap in gaps] == ["disconnected"] * load.reconnects


async def _numbers(service: UsageService) -> list[int]:
    numbers: list[int] = []
    seq = 0
    while True:
        events, last = await service.analysis.after(seq, UsageFilter(), 20_000)
        numbers += [stored_event.event.request_id for stored_event in events]
        if last == seq:
            return sorted(numbers)
        seq = last


async def _reached(reached: Callable[[], bool]) -> None:
    for _ in range(_LOOKS):
        if reached():
            return
        await asyncio.sleep(_TICK)
    raise AssertionError("it has not come about in time")
