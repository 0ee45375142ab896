"""A subscription is complete up to the last answered question, and ends where no answer comes."""

import asyncio

from adapter.clock import FakeClock
from adapter.management.subscription import BEAT_SECONDS, SILENT_SECONDS, Heartbeat


async def test_an_answer_moves_the_time_to_a_second_before_its_question() -> None:
    clock = FakeClock()
    opened = clock.now_ms()
    questions: list[int] = []
    heartbeat = Heartbeat(clock, lambda: questions.append(clock.now_ms()))
    beating = asyncio.create_task(heartbeat.beat(lambda: False))
    await clock.sleeping()
    await clock.advance(BEAT_SECONDS)
    await clock.sleeping()
    assert (questions, heartbeat.known_until) == ([opened + 1_000], opened - 1_000)

    await clock.advance(2)
    heartbeat.answered()
    assert heartbeat.known_until == opened
    beating.cancel()
    await asyncio.wait([beating])


async def test_a_missing_answer_ends_it_unless_answers_cannot_be_read() -> None:
    clock = FakeClock()
    busy = True
    beating = asyncio.create_task(Heartbeat(clock, lambda: None).beat(lambda: busy))
    for seconds in (BEAT_SECONDS, SILENT_SECONDS):
        await clock.sleeping()
        await clock.advance(seconds)
    await clock.sleeping()
    assert not beating.done()

    busy = False
    await clock.advance(SILENT_SECONDS)
    await asyncio.wait_for(beating, 5)
