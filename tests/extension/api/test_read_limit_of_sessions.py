"""The limit of reads as an operator meets it who hops over the pages of the console."""

import asyncio

import pytest

from adapter.clock import FakeClock
from extension.api.auth.authenticator import PAGE_ACTOR
from extension.api.read_limit import SESSIONS, ReadLimit
from tests.extension.api.test_read_limit import BURST, EVENTS, Asking, Inside, end, settled

RATE = 40
PAGES = 10
READS = 6


def limited(seconds: float) -> tuple[FakeClock, Inside, Asking]:
    clock = FakeClock()
    inside = Inside(clock, seconds)
    return clock, inside, Asking(ReadLimit(inside, clock, RATE, EVENTS))


async def test_ten_pages_in_five_seconds_are_answered_though_each_read_takes_a_tenth_of_a_second() -> None:
    clock, _, asking = limited(seconds=0.1)
    for _ in range(PAGES):
        asking.ask(READS, caller="operator", actor=PAGE_ACTOR)
        for _ in range(5):
            await settled()
            await clock.advance(0.1)
    await settled()

    assert asking.count(200) == PAGES * READS
    assert asking.count(429) == 0


async def test_reads_under_way_together_pay_for_a_moment_once() -> None:
    clock, inside, asking = limited(seconds=1.0)
    asking.ask(READS, actor=PAGE_ACTOR)
    await settled()
    await clock.advance(1.0)
    await settled()
    inside.seconds = 0.0

    asking.ask(int(RATE * SESSIONS.burst_seconds), actor=PAGE_ACTOR)
    await settled()

    second = 4 * RATE
    assert asking.count(200) - READS == RATE * SESSIONS.burst_seconds - (second - READS)
    await end(asking)


async def test_programs_never_take_the_share_of_the_console() -> None:
    clock, _, asking = limited(seconds=0.0)
    for number in range(500):
        asking.ask(caller=f"reader-{number}")
    await settled()
    refused = asking.count(429)

    asking.ask(PAGES * READS, caller="operator", actor=PAGE_ACTOR)
    await settled()

    assert refused > 0
    assert asking.count(429) == refused
    assert asking.count(200) >= BURST + PAGES * READS
    await clock.advance(1.0)
    await end(asking)


async def test_sessions_have_a_limit_too() -> None:
    clock, _, asking = limited(seconds=0.0)
    asking.ask(int(RATE * SESSIONS.burst_seconds) + SESSIONS.most_waiting_of_one + 5, actor=PAGE_ACTOR)
    await settled()

    assert asking.count(429) == 5
    await clock.advance(0.0)
    await asyncio.sleep(0)
    await end(asking)


@pytest.mark.parametrize("actor", ["interface", PAGE_ACTOR])
async def test_one_reader_alone_is_never_refused_however_long_its_reads_take(actor: str) -> None:
    clock, _, asking = limited(seconds=10.0)
    for _ in range(10):
        asking.ask(actor=actor)
        for _ in range(130):
            await settled()
            await clock.advance(0.1)

    assert asking.count(200) == 10
    assert asking.count(429) == 0
