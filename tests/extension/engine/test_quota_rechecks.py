"""An account out of quota is checked again right after its reset, by a schedule and alone."""

import json
from collections.abc import Sequence
from pathlib import Path

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.engine.inspector import Inspector
from extension.inspection.settings import parse_settings
from extension.store.run_state import RunState
from extension.store.runs.schedules import Plan
from tests.extension.engine.scenario import compat_config, inspected, key_of, numbers, opened
from tests.extension.engine.test_schedules import run_number

CHOSEN = {"accountSource": "api_key", "retries": 0, "autoActionMode": "none"}
DAILY = Plan("daily", True, 1_440, 0, CHOSEN)
TWO_HOURS = 7_200


class Quota:
    """Upstream at which alpha, or those named, have no quota left until a time, in seconds of the clock."""

    def __init__(self, clock: FakeClock, *, wrong: bool = False, names: Sequence[str] = ("alpha",)) -> None:
        self._limited = {key_of(name) for name in names}
        self.clock = clock
        self.until = clock.now_ms() // 1000 + TWO_HOURS
        self.wrong = wrong
        self.keys: list[str] = []

    async def answer(self, request: UpstreamRequest) -> Answer:
        key = request.header.get("Authorization", "").removeprefix("Bearer ")
        self.keys.append(key)
        if key not in {key_of("alpha"), key_of("beta")}:
            return reply(401, '{"error":{"message":"Invalid API key"}}')
        if key in self._limited and (self.wrong or self.clock.now_ms() < self.until * 1000):
            body = {"error": {"code": "insufficient_quota", "message": "quota exceeded", "resets_at": self.until}}
            return reply(429, json.dumps(body))
        return reply(200, '{"object":"list","data":[{"id":"some-model"}]}')


async def advance(clock: FakeClock, seconds: float) -> None:
    """Advance the clock in steps of five minutes, so that waiting tasks act in between."""
    for _ in range(int(seconds // 300)):
        await clock.sleeping()
        await clock.advance(300)


async def test_an_account_out_of_quota_is_checked_alone_right_after_its_reset(tmp_path: Path) -> None:
    clock = FakeClock()
    gateway, quota = FakeGateway(compat_config(["alpha", "beta"]), clock=clock), Quota(clock)
    gateway.upstream = quota.answer
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        number = (await numbers(inspector))["alpha"]
        await inspector.schedules.save(DAILY, "anna")
        first = await inspected(inspector, parse_settings(CHOSEN))
        (found,) = [result for result in await inspector.history.results(first.id) if result.account_id == number]
        assert (found.verdict, found.resets_at) == ("out_of_quota", quota.until * 1000)
        await advance(clock, TWO_HOURS - 300)
        assert len(await inspector.runs.recent()) == 1
        await advance(clock, 900)
        await run_number(inspector, 2)
        again = (await inspector.runs.recent())[0]
        assert (again.state, again.total, again.started_by) == (RunState.FINISHED, 1, "schedule daily (quota reset)")
        assert again.started_at <= (quota.until + 600) * 1000
        assert [(result.account_id, result.verdict) for result in await inspector.history.results(again.id)] == [
            (number, "healthy")
        ]


async def test_accounts_of_two_schedules_are_each_checked_again(tmp_path: Path) -> None:
    clock = FakeClock()
    names = ["alpha", "beta"]
    gateway, quota = FakeGateway(compat_config(names), clock=clock), Quota(clock, names=names)
    gateway.upstream = quota.answer
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for name in names:
            await inspector.schedules.save(Plan(name, True, 1_440, 0, {**CHOSEN, "providerFilter": name}), "anna")
        first = await inspected(inspector, parse_settings(CHOSEN))
        assert {result.verdict for result in await inspector.history.results(first.id)} == {"out_of_quota"}
        await advance(clock, TWO_HOURS + 300)
        await run_number(inspector, 2)
        await advance(clock, 900)
        await run_number(inspector, 3)
        again = (await inspector.runs.recent())[:2]
        checked = [result.display_name for run in again for result in await inspector.history.results(run.id)]
        assert ([run.total for run in again], sorted(checked)) == ([1, 1], names)


async def test_a_reset_that_did_not_happen_costs_one_recheck(tmp_path: Path) -> None:
    clock = FakeClock()
    gateway, quota = FakeGateway(compat_config(["alpha", "beta"]), clock=clock), Quota(clock, wrong=True)
    gateway.upstream = quota.answer
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspector.schedules.save(DAILY, "anna")
        await inspected(inspector, parse_settings(CHOSEN))
        await advance(clock, TWO_HOURS + 600)
        await run_number(inspector, 2)
        await advance(clock, TWO_HOURS)
        assert len(await inspector.runs.recent()) == 2


async def test_a_pool_without_schedules_is_checked_by_persons_alone(tmp_path: Path) -> None:
    clock = FakeClock()
    gateway, quota = FakeGateway(compat_config(["alpha", "beta"]), clock=clock), Quota(clock)
    gateway.upstream = quota.answer
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspected(inspector, parse_settings(CHOSEN))
        await clock.advance(2 * TWO_HOURS)
        assert len(await inspector.runs.recent()) == 1
        await inspected(inspector, parse_settings(CHOSEN))
        assert await verdict_of(inspector, "alpha") == "healthy"


async def verdict_of(inspector: Inspector, name: str) -> str:
    number = (await numbers(inspector))[name]
    latest = (await inspector.runs.recent())[0]
    return next(result.verdict for result in await inspector.history.results(latest.id) if result.account_id == number)
