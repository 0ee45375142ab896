"""The watch for a process that hangs: how long it waits, and what ends the wait."""

import asyncio
import time

from gateway.internal.plugins.liveness import PATIENCE, Patience, Signs, Silence, Step, until_given_up

TURNS = Patience(turn=0, quiet=5, lifeless=45)
"""A turn without length is a turn of the event loop."""


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def never() -> None:
    await asyncio.Event().wait()


async def is_left_alone(watch: "asyncio.Future[None]") -> bool:
    """Look for as long as it would take to give a process up twice, and end the watch."""
    await turns(2 * (TURNS.quiet + TURNS.lifeless) + 2)
    alone = not watch.done()
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)
    return alone


def test_a_process_is_asked_after_five_seconds_and_given_up_after_forty_five_more() -> None:
    silence = Silence(PATIENCE)
    steps = [silence.after_turn(0) for _ in range(50)]

    assert PATIENCE.turn == 1
    assert steps == [Step.WAIT] * 4 + [Step.ASK] * 45 + [Step.GIVE_UP]


def test_a_sign_of_life_begins_the_wait_anew() -> None:
    silence = Silence(PATIENCE)
    before = [silence.after_turn(0) for _ in range(49)]

    assert Step.GIVE_UP not in before
    assert [silence.after_turn(1) for _ in range(6)] == [Step.WAIT] * 5 + [Step.ASK]


async def test_a_process_that_answers_nothing_is_asked_once_and_given_up() -> None:
    asked = 0

    async def ask() -> None:
        nonlocal asked
        asked += 1
        await never()

    async with asyncio.timeout(30):
        await until_given_up(Signs(), ask, TURNS)

    assert asked == 1, "the question stays open"


async def test_a_process_that_answers_late_lives() -> None:
    signs = Signs()

    async def ask() -> None:
        await turns(TURNS.lifeless * 3 // 4)
        signs.note()

    assert await is_left_alone(asyncio.ensure_future(until_given_up(signs, ask, TURNS)))


async def test_a_process_that_answers_other_calls_lives_without_an_answer_to_the_question() -> None:
    signs = Signs()

    async def calls() -> None:
        while True:
            await turns(TURNS.lifeless // 2)
            signs.note()

    calling = asyncio.ensure_future(calls())
    assert await is_left_alone(asyncio.ensure_future(until_given_up(signs, never, TURNS)))
    calling.cancel()


async def test_a_process_that_cannot_be_asked_is_asked_again_and_given_up() -> None:
    asked = 0

    async def ask() -> None:
        nonlocal asked
        asked += 1

    async with asyncio.timeout(30):
        await until_given_up(Signs(), ask, TURNS)

    assert 1 < asked <= TURNS.lifeless


async def test_a_time_in_which_the_gateway_was_frozen_too_is_one_turn() -> None:
    signs, patience = Signs(), Patience(turn=0.002, quiet=2, lifeless=20)
    answered = asyncio.Event()

    async def ask() -> None:
        time.sleep(5 * patience.seconds)  # noqa: ASYNC251 - nothing else runs either, as in a suspended machine
        await asyncio.sleep(patience.turn)
        signs.note()
        answered.set()
        await never()

    watch = asyncio.ensure_future(until_given_up(signs, ask, patience))
    await asyncio.wait({watch, asyncio.ensure_future(answered.wait())}, return_when=asyncio.FIRST_COMPLETED)
    assert not watch.done()
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)


async def test_the_end_of_the_watch_ends_its_question() -> None:
    ended = False

    async def ask() -> None:
        nonlocal ended
        try:
            await never()
        finally:
            ended = True

    watch = asyncio.ensure_future(until_given_up(Signs(), ask, TURNS))
    await turns(TURNS.quiet + 3)
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)

    assert watch.cancelled()
    assert ended
