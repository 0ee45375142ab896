import asyncio
import threading
import time

from adapter.management.client.pace import OwnDelay


def _blocked(seconds: float) -> None:
    threading.Event().wait(seconds)


async def test_an_answer_that_waits_for_a_busy_loop_is_late_because_of_us() -> None:
    loop = asyncio.get_running_loop()
    with OwnDelay() as own:
        loop.call_later(0.02, _blocked, 0.2)
        began = time.monotonic()
        await asyncio.sleep(0.05)
        taken = time.monotonic() - began
        assert taken > 0.2
        assert taken - own.seconds < 0.15


async def test_an_answer_that_others_delay_is_not_late_because_of_us() -> None:
    with OwnDelay() as own:
        delays = []
        for _ in range(10):
            await asyncio.to_thread(_blocked, 0.02)
            delays.append(own.seconds)
    assert min(delays) < 0.01


async def test_a_delay_that_is_over_counts_no_more() -> None:
    loop = asyncio.get_running_loop()
    with OwnDelay() as own:
        loop.call_soon(_blocked, 0.2)
        await asyncio.sleep(0.01)
        assert own.seconds > 0.08
        await asyncio.sleep(0.05)
        assert own.seconds < 0.08
