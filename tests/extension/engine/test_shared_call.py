import asyncio

import pytest

from adapter.clock import FakeClock
from extension.engine.shared_call import SharedCall


class Calls:
    """Call with a gate for each time that it is made; a test ends it through the gate."""

    def __init__(self) -> None:
        self.begun = 0
        self.canceled = 0
        self.gates: list[asyncio.Future[str]] = []

    async def __call__(self) -> str:
        self.begun += 1
        gate: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.gates.append(gate)
        try:
            return await gate
        except asyncio.CancelledError:
            self.canceled += 1
            raise


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_who_comes_while_a_call_is_under_way_shares_the_next_one() -> None:
    calls = Calls()
    shared = SharedCall(calls, FakeClock())
    first = asyncio.create_task(shared())
    await settled()
    crowd = [asyncio.create_task(shared()) for _ in range(500)]
    await settled()
    assert calls.begun == 1

    calls.gates[0].set_result("old")
    await settled()
    assert (await first, calls.begun) == ("old", 2)
    calls.gates[1].set_result("new")
    assert await asyncio.gather(*crowd) == ["new"] * 500
    await settled()

    last = asyncio.create_task(shared())
    await settled()
    assert calls.begun == 3, "an ended call answers no later caller"
    calls.gates[2].set_result("last")
    assert await last == "last"


async def test_patient_callers_take_the_last_answer_for_three_times_the_length_of_a_call() -> None:
    calls, clock = Calls(), FakeClock()
    shared = SharedCall(calls, clock)
    first = asyncio.create_task(shared())
    await settled()
    await clock.advance(0.5)
    calls.gates[0].set_result("old")
    assert await first == "old"
    await clock.advance(1.4)
    assert (await asyncio.gather(*(shared(patient=True) for _ in range(300))), calls.begun) == (["old"] * 300, 1)
    await clock.advance(0.2)
    later = asyncio.create_task(shared(patient=True))
    await settled()
    assert calls.begun == 2
    calls.gates[1].set_result("new")
    assert await later == "new"


async def test_every_caller_gets_the_error_and_the_next_call_is_made_all_the_same() -> None:
    calls = Calls()
    shared = SharedCall(calls, FakeClock())
    first = asyncio.create_task(shared())
    await settled()
    second = asyncio.create_task(shared())
    await settled()
    calls.gates[0].set_exception(ValueError("away"))
    with pytest.raises(ValueError, match="away"):
        await first
    await settled()
    calls.gates[1].set_result("back")
    assert await second == "back"


async def test_a_call_is_canceled_with_its_last_caller_alone() -> None:
    calls = Calls()
    shared = SharedCall(calls, FakeClock())
    first, other = asyncio.create_task(shared()), asyncio.create_task(shared())
    await settled()
    first.cancel()
    await settled()
    assert (calls.begun, calls.canceled) == (1, 0)
    other.cancel()
    await settled()
    assert calls.canceled == 1

    after = asyncio.create_task(shared())
    await settled()
    calls.gates[1].set_result("again")
    assert await after == "again"


async def after_a_call(seconds: float) -> tuple[Calls, FakeClock, SharedCall[str], asyncio.Task[str]]:
    """Return a shared call just after one of some seconds, with a patient caller that came meanwhile."""
    calls, clock = Calls(), FakeClock()
    shared = SharedCall(calls, clock)
    first = asyncio.create_task(shared())
    await settled()
    reader = asyncio.create_task(shared(patient=True))
    await clock.advance(seconds)
    calls.gates[0].set_result("old")
    await first
    await settled()
    return calls, clock, shared, reader


async def test_patient_callers_leave_three_times_the_length_of_a_call_before_the_next() -> None:
    calls, clock, _, reader = await after_a_call(0.5)

    await clock.advance(1.4)
    await settled()
    assert calls.begun == 1
    await clock.advance(0.2)
    await settled()
    assert calls.begun == 2
    calls.gates[1].set_result("new")
    assert await reader == "new"


async def test_a_caller_in_a_hurry_ends_the_pause_for_all() -> None:
    calls, _, shared, reader = await after_a_call(1.0)
    assert calls.begun == 1

    command = asyncio.create_task(shared())
    await settled()
    assert calls.begun == 2
    calls.gates[1].set_result("new")
    assert [await reader, await command] == ["new", "new"]
