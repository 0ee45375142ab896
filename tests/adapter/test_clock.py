import asyncio

from adapter.clock import FakeClock, SystemClock


async def test_a_fake_clock_stands_still_until_it_is_advanced() -> None:
    clock = FakeClock(now_ms=1_000)
    assert (clock.now_ms(), clock.monotonic()) == (1_000, 0.0)
    await clock.advance(2.5)
    assert (clock.now_ms(), clock.monotonic()) == (3_500, 2.5)


async def test_sleepers_wake_in_the_order_of_their_due_times() -> None:
    clock = FakeClock()
    woken: list[tuple[str, float]] = []

    async def sleeper(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append((name, clock.monotonic()))

    tasks = [asyncio.create_task(sleeper(name, seconds)) for name, seconds in (("late", 5), ("soon", 1), ("now", 0))]
    await clock.sleeping(2)
    await tasks[2]
    await clock.advance(4)
    assert woken == [("now", 0.0), ("soon", 1.0)]
    await clock.advance(1)
    await asyncio.gather(*tasks)
    assert woken[-1] == ("late", 5.0)


async def test_a_cancelled_sleeper_does_not_stop_the_clock() -> None:
    clock = FakeClock()
    task = asyncio.create_task(clock.sleep(1))
    await clock.sleeping()
    task.cancel()
    await asyncio.wait([task])
    assert clock.sleepers == 0
    await clock.advance(2)
    assert clock.monotonic() == 2


async def test_the_system_clock_counts_milliseconds_and_never_goes_back() -> None:
    clock = SystemClock()
    first, started = clock.now_ms(), clock.monotonic()
    await clock.sleep(0)
    await clock.sleep(-1)
    assert first > 1_700_000_000_000
    assert clock.monotonic() >= started
