import asyncio
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer, Pool, errors
from extension.engine.errors import ScheduleUnknown
from extension.engine.inspector import Inspector
from extension.engine.schedules import scheduled_settings
from extension.inspection.settings import SettingsError, parse_settings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.run_state import RunState
from extension.store.runs.schedules import Plan
from tests.extension.engine.scenario import (
    compat_config,
    ended,
    inspected,
    key_of,
    numbers,
    opened,
    run_number,
    settings,
)

HOURLY = Plan("hourly", True, 60, 0, {"accountSource": "api_key", "workers": 3, "retries": 0})
HOUR = 3600.0


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(compat_config(["alpha", "beta"]))


async def test_a_schedule_starts_a_run_with_the_settings_it_was_saved_with(
    inspector: Inspector, clock: FakeClock
) -> None:
    saved = await inspector.schedules.save(HOURLY, "anna")
    assert (saved.next_at - clock.now_ms(), saved.settings["workers"], saved.settings["timeoutSeconds"]) == (
        3_600_000,
        3,
        15,
    )
    await clock.sleeping()
    await clock.advance(HOUR)
    await run_number(inspector, 1)
    (run,) = await inspector.runs.recent()
    assert (run.started_by, run.schedule_id, run.settings["workers"]) == ("schedule hourly", saved.id, 3)


@pytest.mark.parametrize(("chosen", "keeps"), [({}, 1), ({"keepAtLeast": 0}, 0), ({"keepAtLeast": 3}, 3)])
async def test_a_run_of_a_schedule_keeps_one_account_of_each_host_unless_it_says_otherwise(
    inspector: Inspector, chosen: dict[str, int], keeps: int
) -> None:
    saved = await inspector.schedules.save(replace(HOURLY, settings={**HOURLY.settings, **chosen}), "anna")
    assert saved.settings["keepAtLeast"] == keeps
    assert scheduled_settings({**HOURLY.settings, **chosen}).keep_at_least == keeps


async def test_a_schedule_is_saved_while_the_gateway_is_away(
    inspector: Inspector, gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away() -> Pool:
        raise errors.Unavailable("It is away.")

    saved = await inspector.schedules.save(HOURLY, "anna")
    assert await inspector.schedules.accounts_in_scope(saved) == 2
    monkeypatch.setattr(gateway, "accounts", away)
    assert await inspector.schedules.accounts_in_scope(saved) is None


async def test_runs_that_were_missed_are_made_up_for_once(tmp_path: Path, gateway: FakeGateway) -> None:
    clock = FakeClock()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspector.schedules.save(HOURLY, "anna")
    await clock.advance(9.5 * HOUR)
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await run_number(inspector, 1)
        await clock.sleeping()
        (schedule,) = await inspector.schedules.all()
        assert len(await inspector.runs.recent()) == 1
        assert schedule.next_at - clock.now_ms() == 3_600_000


async def test_jitter_delays_by_no_more_than_it_says(inspector: Inspector, clock: FakeClock) -> None:
    for _ in range(20):
        saved = await inspector.schedules.save(Plan("jittery", False, 60, 30, HOURLY.settings), "anna")
        assert 3_600_000 <= saved.next_at - clock.now_ms() <= 5_400_000


async def test_a_schedule_that_comes_due_while_a_run_is_active_says_so_and_waits_for_its_next_time(
    inspector: Inspector, clock: FakeClock, gateway: FakeGateway
) -> None:

    async def upstream(_: UpstreamRequest) -> object:
        await clock.sleep(100 * HOUR)
        return reply()

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    await inspector.schedules.save(HOURLY, "anna")
    await inspector.runs.start(settings(timeoutSeconds=120), "ben")
    await clock.sleeping(3)
    await clock.advance(HOUR)
    await clock.sleeping(3)
    (schedule,) = await inspector.schedules.all()
    assert schedule.problem.items == because(ReasonCode.RUN_ACTIVE, run=1).items
    assert "still active" in schedule.problem.text
    assert len(await inspector.runs.recent()) == 1
    assert schedule.next_at - clock.now_ms() == 3_600_000


async def test_two_schedules_that_come_due_together_run_one_after_the_other(
    inspector: Inspector, clock: FakeClock
) -> None:
    for name in ("keys", "keys again"):
        await inspector.schedules.save(replace(HOURLY, name=name), "anna")
    await clock.sleeping()
    await clock.advance(HOUR)
    await run_number(inspector, 1)
    await clock.sleeping()
    await clock.advance(60)
    await run_number(inspector, 2)
    assert [schedule.last_run for schedule in await inspector.schedules.all()] == [1, 2]
    assert not any(schedule.problem for schedule in await inspector.schedules.all())


async def test_a_switched_off_schedule_starts_nothing_and_a_removed_one_is_gone(
    inspector: Inspector, clock: FakeClock
) -> None:
    saved = await inspector.schedules.save(HOURLY, "anna")
    off = Plan("hourly", False, 60, 0, HOURLY.settings)
    assert (await inspector.schedules.save(off, "ben", saved.id)).enabled is False
    await clock.advance(3 * HOUR)
    assert await inspector.runs.recent() == ()
    await inspector.schedules.remove(saved.id)
    assert await inspector.schedules.all() == ()
    for change in (inspector.schedules.remove(saved.id), inspector.schedules.save(HOURLY, "ben", saved.id)):
        with pytest.raises(ScheduleUnknown):
            await change


async def test_settings_that_cannot_be_used_are_not_saved(inspector: Inspector) -> None:
    with pytest.raises(SettingsError, match="workers"):
        await inspector.schedules.save(Plan("bad", True, 60, 0, {"workers": 0}), "anna")
    assert await inspector.schedules.all() == ()


async def test_an_interrupted_run_of_a_schedule_is_taken_up_by_itself(tmp_path: Path, gateway: FakeGateway) -> None:
    clock = FakeClock()

    async def upstream(_: UpstreamRequest) -> object:
        await clock.sleep(100 * HOUR)
        return reply()

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspector.schedules.save(HOURLY, "anna")
        await clock.sleeping()
        await clock.advance(HOUR)
        await clock.sleeping(2)
    gateway.upstream = lambda _: reply()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        while (run := (await inspector.runs.recent())[0]).state is RunState.INTERRUPTED:
            await inspector.event_log.wait(0)
        assert (await ended(inspector, run.id)).state is RunState.FINISHED


async def test_schedules_go_on_where_an_interrupted_run_cannot_be_taken_up(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    clock = FakeClock()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspector.schedules.save(HOURLY, "anna")
        gateway.upstream = never
        await clock.sleeping()
        await clock.advance(HOUR)
        await started(inspector)
    spoil_the_settings_of_runs(tmp_path)
    gateway.upstream = lambda _: reply()
    await clock.advance(HOUR)
    async with opened(tmp_path, gateway, clock=clock) as inspector, asyncio.timeout(10):
        await run_number(inspector, 2)


async def started(inspector: Inspector) -> None:
    """Wait until a run is under way."""
    seen = 0
    while not any(run.state is RunState.RUNNING for run in await inspector.runs.recent()):
        await inspector.event_log.wait(seen)
        seen = max((event.seq for event in await inspector.event_log.events(0, None, 100_000)), default=0)


async def never(_: UpstreamRequest) -> Answer:
    await asyncio.Event().wait()
    raise AssertionError


def spoil_the_settings_of_runs(folder: Path) -> None:
    """Leave settings in the database that this release does not know, as another one might."""
    with closing(sqlite3.connect(folder / "poolkeeper.db")) as database:
        database.execute("update runs set settings = ?", ('{"unheard": true}',))
        database.commit()


async def test_a_schedule_with_a_cron_expression_starts_at_its_time_in_its_zone(
    inspector: Inspector, clock: FakeClock
) -> None:
    nightly = Plan("nightly", True, 0, 0, HOURLY.settings, "0 3 * * *", "Asia/Shanghai")
    saved = await inspector.schedules.save(nightly, "anna")
    assert saved.next_at % 86_400_000 == 19 * 3_600_000
    while clock.now_ms() < saved.next_at:
        await clock.sleeping()
        await clock.advance(HOUR)
    await run_number(inspector, 1)
    (schedule,) = await inspector.schedules.all()
    assert schedule.next_at == saved.next_at + 86_400_000


@pytest.mark.parametrize("jump", [HOUR, 24 * HOUR])
@pytest.mark.parametrize("cron", ["", "0 * * * *"])
async def test_a_clock_that_is_set_back_lets_out_no_run(
    inspector: Inspector, clock: FakeClock, jump: float, cron: str
) -> None:
    await inspector.schedules.save(Plan("hourly", True, 60, 0, HOURLY.settings, cron, "UTC"), "anna")
    for number in (1, 2, 3):
        await clock.sleeping()
        if number == 2:
            clock.jump(-jump)
        await clock.advance(HOUR)
        if number == 2:
            # The jump ended the wait; the next time is counted from the clock as it is now.
            await clock.sleeping()
            await clock.advance(HOUR)
        await run_number(inspector, number)
    assert len(await inspector.runs.recent()) == 3


async def test_a_schedule_that_a_jump_makes_due_starts_within_half_a_minute(
    inspector: Inspector, clock: FakeClock
) -> None:
    await inspector.schedules.save(HOURLY, "anna")
    await clock.sleeping()
    clock.jump(2 * HOUR)
    await clock.advance(30)
    await run_number(inspector, 1)


@pytest.mark.parametrize("jump", [2 * HOUR, 24 * HOUR])
async def test_a_clock_that_jumps_forward_starts_one_run(inspector: Inspector, clock: FakeClock, jump: float) -> None:
    await inspector.schedules.save(HOURLY, "anna")
    await clock.sleeping()
    clock.jump(jump)
    await clock.advance(HOUR)
    await run_number(inspector, 1)
    (schedule,) = await inspector.schedules.all()
    assert len(await inspector.runs.recent()) == 1
    assert 0 < schedule.next_at - clock.now_ms() <= 3_600_000


@pytest.mark.parametrize("turns", range(6))
async def test_schedules_end_in_every_turn_after_they_wake(tmp_path: Path, turns: int) -> None:
    clock = FakeClock()
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"])), clock=clock) as inspector:
        await inspector.schedules.save(HOURLY, "anna")
        for _ in range(2):  # The change of the schedules wakes them first.
            await clock.sleeping()
            await turned(10)
        await clock.advance(300)
        await turned(turns)
        await asyncio.wait_for(inspector.schedules.close(), 10)
    assert clock.sleepers == 0


async def turned(turns: int) -> None:
    """Let the event loop turn that often."""
    for _ in range(turns):
        await asyncio.sleep(0)


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
