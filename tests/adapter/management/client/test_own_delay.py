import asyncio
from types import SimpleNamespace

import pytest

from adapter.management.client import pace
from adapter.management.client.pace import OwnDelay


async def test_an_answer_that_waits_for_a_busy_loop_is_late_because_of_us_until_the_delay_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: now))
    with OwnDelay() as own:
        now = 0.201  # the loop works on something else
        delays = [own.seconds]
        while delays[-1] != 0.0:
            await asyncio.sleep(0)
            if own.seconds != delays[-1]:
                delays.append(own.seconds)
    # What came while the loop was away came in the middle of that time, on average.
    assert delays == pytest.approx([0.2, 0.1, 0.0])


async def test_an_answer_that_others_delay_is_not_late_because_of_us(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: now))
    with OwnDelay() as own:
        delays = []
        for _ in range(10):
            now += 0.001
            while own._due <= now:  # noqa: ASYNC110 - the timer gives no sign when it was run
                await asyncio.sleep(0)
            delays.append(own.seconds)
    assert delays == [0.0] * 10
