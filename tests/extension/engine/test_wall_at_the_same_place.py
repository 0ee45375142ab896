"""A wall that stands at the same requests of two runs refuses the same good keys twice, and disables none of them."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply, silent
from adapter.port import Answer, NoAnswerKind
from extension.engine.inspector import Inspector
from extension.inspection.settings import parse_settings
from extension.reasons.codes import HoldCode
from tests.extension.engine.scenario import HEALTHY, INVALID, FlyingClock, fleet, inspected, opened
from tests.extension.engine.test_storm_recovery import Reply, Storm, a_world, off

KEYS, WALL = 100, 30
LATE = {
    "accountSource": "api_key",
    "autoActionMode": "disable",
    "workers": 1,
    "realtimeAutoActions": {"disable": False, "enable": False, "delete": False},
}
RESET = silent(NoAnswerKind.CONNECT, "reset", 0.1)
LATE_ANSWER = silent(NoAnswerKind.TIMEOUT, "no answer", 0.1)
QUOTA = reply(429, '{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"out of quota"}}')
CHOSEN = parse_settings({"accountSource": "api_key", "autoActionMode": "disable", "workers": 1})


async def codes(inspector: Inspector, run: int) -> set[str]:
    """Return why changes of a run are on hold."""
    return {hold.code for hold in await inspector.history.held(run)}


def number_of(key: str) -> int:
    """Return the number of a key of the fleet."""
    return int(key.split("-")[3])


def refusing_first(times: int, walled: Callable[[str], bool]) -> Storm:
    """Return a storm that refuses the first requests of some keys."""
    requests = Counter[str]()

    def storm(request: UpstreamRequest, _: int) -> Reply | None:
        key = request.header["x-api-key"]
        requests[key] += 1
        return INVALID if requests[key] <= times and walled(key) else None

    return storm


def refusing_by_chance(percent: int, refusal: Reply) -> Storm:
    """Return a storm that throws its dice for each request of a key by itself: the order of keys may differ."""
    requests = Counter[str]()

    def storm(request: UpstreamRequest, _: int) -> Reply | None:
        key = request.header["x-api-key"]
        requests[key] += 1
        return refusal if Random(f"{percent} {key} {requests[key]}").random() * 100 < percent else None

    return storm


@pytest.mark.parametrize(
    "apart", [pytest.param(5, id="seconds apart", marks=pytest.mark.soak), pytest.param(3600, id="an hour apart")]
)
async def test_keys_refused_by_a_wall_in_the_first_seconds_of_every_run_stay_on(tmp_path: Path, apart: float) -> None:
    clock, world, gateway = a_world({"one": KEYS}, bad=lambda key: "-0090-" in key)
    world.storm = lambda _, count: INVALID if count <= WALL else None
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for _ in range(3):
            world.count = 0
            run = await inspected(inspector, CHOSEN)
            await clock.advance(apart)
        assert {key for key in off(gateway) if "-0090-" not in key} == set()
        assert off(gateway)
        assert HoldCode.NOT_CONFIRMED in await codes(inspector, run.id)


async def test_keys_that_are_refused_again_are_disabled_in_the_second_run(tmp_path: Path) -> None:
    dead = {f"-{number:04}-" for number in range(WALL)}
    clock, _, gateway = a_world({"one": KEYS}, bad=lambda key: any(part in key for part in dead))
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for disabled in (0, WALL):
            await inspected(inspector, CHOSEN)
            assert len(off(gateway)) == disabled
            await clock.advance(3600)


@pytest.mark.soak
@pytest.mark.parametrize("dead", [1, 3, 8, 25])
async def test_a_wall_that_returns_for_the_second_requests_alone_disables_no_key(tmp_path: Path, dead: int) -> None:
    """It is gone for the witness, and gone for the round after that."""
    clock, world, gateway = a_world({"one": KEYS}, bad=lambda _: False)
    world.storm = lambda _, count: INVALID if _second(count, dead) else None
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspected(inspector, parse_settings(LATE))
        assert off(gateway) == set()
        assert run.verdicts["invalid_key"] == dead
        assert HoldCode.NOT_CONFIRMED in await codes(inspector, run.id)


def _second(count: int, dead: int) -> bool:
    """Return whether a request is one of the first that fail, far apart, or one of those that ask them again."""
    return (count % 4 == 0 and count <= 4 * dead) or KEYS < count <= KEYS + dead


@pytest.mark.parametrize(
    ("percent", "refusal"),
    [
        pytest.param(10, INVALID, id="a tenth", marks=pytest.mark.soak),
        pytest.param(30, INVALID, id="a third"),
        pytest.param(20, QUOTA, id="out of quota", marks=pytest.mark.soak),
    ],
)
async def test_a_host_that_refuses_by_chance_loses_no_key(tmp_path: Path, percent: int, refusal: Reply) -> None:
    clock, world, gateway = a_world({"one": KEYS}, bad=lambda _: False)
    world.storm = refusing_by_chance(percent, refusal)
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for _ in range(4):
            run = await inspected(inspector, CHOSEN)
            assert run.on_hold
            await clock.advance(3600)
        assert off(gateway) == set()


@pytest.mark.soak
@pytest.mark.parametrize("trouble", [reply(429), reply(503), RESET, LATE_ANSWER])
@pytest.mark.parametrize(("first", "bad"), [(6, 0), (0, 1)], ids=["the first", "one of them"])
async def test_trouble_of_the_same_accounts_in_every_run_disables_those_alone_that_have_it_now(
    tmp_path: Path, trouble: Reply, first: int, bad: int
) -> None:
    """A limit or a host that is slow to begin meets the same accounts, because every run asks in the same order."""
    clock, world, gateway = a_world({"one": 20}, bad=lambda _: False)
    chosen = parse_settings({"accountSource": "api_key", "autoActionMode": "disable", "workers": 1, "retries": 0})

    def storm(request: UpstreamRequest, count: int) -> Reply | None:
        return trouble if count <= first or number_of(request.header["x-api-key"]) >= 20 - bad else None

    world.storm = storm
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for _ in range(3):
            world.count = 0
            await inspected(inspector, chosen)
            await clock.advance(3600)
        assert len(off(gateway)) == bad


@pytest.mark.soak
async def test_one_key_that_answers_by_chance_does_not_keep_dead_ones_of_its_route(tmp_path: Path) -> None:
    dead = {f"-{number:04}-" for number in range(5, 100, 9)}
    clock, world, gateway = a_world({"one": KEYS}, bad=lambda key: any(part in key for part in dead))
    world.storm = refusing_first(1, lambda key: "-0001-" in key)
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspected(inspector, parse_settings(LATE))
        assert len(off(gateway)) == len(dead)
        assert await codes(inspector, run.id) == {HoldCode.NOT_CONFIRMED}


@pytest.mark.soak
async def test_keys_that_are_refused_twice_and_then_served_stay_on(tmp_path: Path) -> None:
    clock, world, gateway = a_world({"one": 3 * KEYS}, bad=lambda _: False)
    world.storm = refusing_first(2, lambda key: number_of(key) % 5 in {1, 3})
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspected(inspector, parse_settings(LATE))
        assert off(gateway) == set()
        assert run.verdicts["invalid_key"] == 2 * 3 * KEYS // 5
        assert await codes(inspector, run.id) == {HoldCode.NOT_CONFIRMED}


@pytest.mark.soak
async def test_keys_that_are_served_at_last_keep_the_others_of_their_route_on(tmp_path: Path) -> None:
    clock, world, gateway = a_world({"one": KEYS}, bad=lambda key: number_of(key) % 20 == 7)
    world.storm = refusing_first(1, lambda key: number_of(key) % 20 == 3)
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspected(inspector, parse_settings(LATE))
        assert off(gateway) == set()
        assert await codes(inspector, run.id) == {HoldCode.NOT_CONFIRMED, HoldCode.OTHERS_NOT_CONFIRMED}


@pytest.mark.soak
async def test_a_host_that_refuses_what_comes_at_once_loses_no_key(tmp_path: Path) -> None:
    """Ten requests within a second pass, and one more with each tenth of a second: witnesses are in the same crowd."""
    clock = FlyingClock()
    gateway = FakeGateway(fleet({"one": KEYS}), clock=clock)
    tokens, since = 10.0, clock.monotonic()

    async def upstream(_: UpstreamRequest) -> Answer:
        nonlocal tokens, since
        tokens, since = min(10.0, tokens + 10 * (clock.monotonic() - since)), clock.monotonic()
        tokens -= tokens >= 1
        refused = tokens < 1
        await clock.advance(0.01)
        return INVALID if refused else HEALTHY

    gateway.upstream = upstream
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for _ in range(3):
            await inspected(inspector, CHOSEN)
            await clock.advance(3600)
        assert off(gateway) == set()


@pytest.mark.soak
@pytest.mark.parametrize("keys", [20, 32])
async def test_dead_keys_that_always_answer_last_are_off_after_the_second_run(tmp_path: Path, keys: int) -> None:
    """A refused key takes two requests: where all are asked at once, none works after it."""
    late = {f"-{keys - 1:04}-", f"-{keys - 2:04}-"}
    clock, _, gateway = a_world({"one": keys}, bad=lambda key: any(part in key for part in late))
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for disabled in (0, 2):
            await inspected(inspector, CHOSEN)
            assert len(off(gateway)) == disabled
            await clock.advance(3600)
