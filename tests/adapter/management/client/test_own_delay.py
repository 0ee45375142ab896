import asyncio
import threading
from types import SimpleNamespace

import pytest

from adapter.management.client import pace
from adapter.management.client.pace import OwnDelay


def _blocked(seconds: float) -> None:
    threading.Event().wait(seconds)


async def test_an_answer_that_waits_for_a_busy_loop_is_late_because_of_us_until_the_delay_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: now))
    with OwnDelay() as own:
        now = 0.201  # the loop works on something else
        assert own.seconds == pytest.approx(0.2)
        own._tick()
        assert own.seconds == pytest.approx(0.1), "an answer that came meanwhile came in the middle of it"
        own._tick()
        assert own.seconds == 0.0


async def test_an_answer_that_others_delay_is_not_late_because_of_us() -> None:
    with OwnDelay() as own:
        delays = []
        for _ in range(10):
            await asyncio.to_thread(_blocked, 0.02)
            delays.append(own.seconds)
    assert min(delays) < 0.01
