"""A wall that stands at the same requests of two runs refuses the same good keys twice, and disables none of them."""

from pathlib import Path

import pytest

from adapter.fake import FakeGateway
from extension.engine.inspector import Inspector
from extension.inspection.settings import parse_settings
from extension.reasons.hold import HoldCode
from tests.extension.engine.scenario import FlyingClock, ended, fleet, opened
from tests.extension.engine.test_storm_recovery import INVALID, World, off

KEYS, WALL = 100, 30
CHOSEN = parse_settings({"accountSource": "api_key", "autoActionMode": "disable", "workers": 1})


async def codes(inspector: Inspector, run: int) -> set[str]:
    """Return why changes of a run are on hold."""
    return {each.code for each in await inspector.history.held(run)}


@pytest.mark.parametrize("apart", [5, 3600], ids=["seconds apart", "an hour apart"])
async def test_keys_refused_by_a_wall_in_the_first_seconds_of_every_run_stay_on(tmp_path: Path, apart: float) -> None:
    clock = FlyingClock()
    world = World(clock, bad=lambda key: "-0090-" in key)
    gateway = FakeGateway(fleet({"one": KEYS}), clock=clock)
    gateway.upstream = world.answer
    world.storm = lambda _, count: INVALID if count <= WALL else None
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for _ in range(3):
            world.count = 0
            run = await ended(inspector, (await inspector.start(CHOSEN, "anna")).id)
            await clock.advance(apart)
        assert {key for key in off(gateway) if "-0090-" not in key} == set()
        assert off(gateway)
        assert HoldCode.NOT_CONFIRMED in await codes(inspector, run.id)


async def test_keys_that_are_refused_again_are_disabled_in_the_second_run(tmp_path: Path) -> None:
    clock = FlyingClock()
    dead = {f"-{number:04}-" for number in range(WALL)}
    world = World(clock, bad=lambda key: any(each in key for each in dead))
    gateway = FakeGateway(fleet({"one": KEYS}), clock=clock)
    gateway.upstream = world.answer
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for disabled in (0, WALL):
            await ended(inspector, (await inspector.start(CHOSEN, "anna")).id)
            assert len(off(gateway)) == disabled
            await clock.advance(3600)
