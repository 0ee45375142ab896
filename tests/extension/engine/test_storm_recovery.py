"""Storms under automatic disabling: in the end every key is enabled but the bad ones, and no file is lost."""

from collections.abc import Callable
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply, silent
from adapter.port import Answer, NoAnswer, NoAnswerKind
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import parse_settings
from extension.store.run_state import RunState
from tests.extension.engine.scenario import HEALTHY, INVALID, FlyingClock, fleet, inspected, opened

HOSTS = {"north": 60, "south": 60, "dozen": 12, "pair": 2, "lone": 1}
BAD = ("sk-ant-north-0017-", "sk-ant-south-0059-", "sk-ant-dozen-0004-", "sk-ant-pair-0001-")
HOUR = 3600
PAGE = {"Content-Type": "text/html"}
CHALLENGE = reply(403, "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>", PAGE)
REGION = reply(403, '{"error":{"type":"forbidden","message":"Request not allowed"}}')
ODD = reply(403, '{"error":{"type":"policy","message":"not from here"}}')
PORTAL = reply(200, "<html><head><title>Welcome to the hotel</title></head></html>", PAGE)
SIGN_IN = reply(302, "", {"Location": "https://portal.example/login"})
RATE = reply(429, '{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}')
DOWN = reply(503, '{"error":{"message":"upstream is down"}}')
CERTIFICATE = silent(NoAnswerKind.TLS, "certificate verify failed", 0.1)

Reply = Answer | NoAnswer
Storm = Callable[[UpstreamRequest, int], Reply | None]
"""Function from a request and the number of requests in this run to what the storm answers, or None."""


def everywhere(answer: Reply) -> Storm:
    return lambda _request, _count: answer


def on_host(answer: Reply) -> Storm:
    return lambda request, _count: answer if "//north" in request.url else None


def half_of_a_host(answer: Reply) -> Storm:
    def storm(request: UpstreamRequest, _count: int) -> Reply | None:
        key = request.header["x-api-key"]
        return answer if "north" in key and int(key.split("-")[3]) % 2 else None

    return storm


def from_the_middle(answer: Reply, after: int = 70) -> Storm:
    return lambda _request, count: answer if count > after else None


STORMS = {
    "cloudflare": everywhere(CHALLENGE),
    "region": everywhere(REGION),
    "unknown 403": everywhere(ODD),
    "401 from everything": everywhere(INVALID),
    "401 from one host": on_host(INVALID),
    "429": everywhere(RATE),
    "503": everywhere(DOWN),
    "captive portal": everywhere(PORTAL),
    "redirect to a log-in page": everywhere(SIGN_IN),
    "certificate error": everywhere(CERTIFICATE),
    "a wall from the middle of a run": from_the_middle(ODD),
    "401 from the middle of a run": from_the_middle(INVALID),
    "half of a host's keys 401": half_of_a_host(INVALID),
    "half of a host's keys 503": half_of_a_host(DOWN),
}
MOST_WRONG = {"half of a host's keys 401": 30}
"""Accounts that may be off during a storm: half of the keys of one host look like dead ones beside those that work."""

CALM = {True: "after a healthy run", False: "at the very first run"}
ONE_A_KIND = {
    "401 from everything": True,
    "401 from one host": False,
    "a wall from the middle of a run": False,
    "half of a host's keys 401": True,
}
"""Storms that `make test` takes, and whether after a healthy run or at the very first."""
MOMENTS = [
    pytest.param(
        name, calm, id=f"{name}-{CALM[calm]}", marks=[] if ONE_A_KIND.get(name) is calm else [pytest.mark.soak]
    )
    for name in STORMS
    for calm in CALM
]
"""Every storm at both moments."""


class World:
    """Upstream with a few bad keys, and a storm while one is set."""

    def __init__(self, clock: FlyingClock, bad: Callable[[str], bool] | None = None) -> None:
        self.storm: Storm | None = None
        self.count = 0
        self._clock = clock
        self._bad = bad or is_bad

    async def answer(self, request: UpstreamRequest) -> Reply:
        self.count += 1
        await self._clock.advance(0.02)
        stormy = self.storm(request, self.count) if self.storm is not None else None
        if stormy is not None:
            return stormy
        key = request.header["x-api-key"]
        return INVALID if MARK in key or self._bad(key) else HEALTHY


def a_world(hosts: dict[str, int], bad: Callable[[str], bool] | None = None) -> tuple[FlyingClock, World, FakeGateway]:
    """Return a gateway in front of a world, and their clock."""
    clock = FlyingClock()
    world, gateway = World(clock, bad), FakeGateway(fleet(hosts), clock=clock)
    gateway.upstream = world.answer
    return clock, world, gateway


def off(gateway: FakeGateway) -> set[str]:
    """Return the keys that are switched off."""
    entries = gateway.state.document["claude-api-key"]
    return {entry["api-key"] for entry in entries if "*" in entry.get("excluded-models", ())}


def is_bad(key: str) -> bool:
    return key.startswith(BAD)


@pytest.mark.parametrize(("name", "calm_before"), MOMENTS)
async def test_after_a_storm_only_the_bad_keys_are_off(tmp_path: Path, name: str, calm_before: bool) -> None:
    clock, world, gateway = a_world(HOSTS)
    chosen = parse_settings({"accountSource": "api_key", "autoActionMode": "disable", "workers": 8})
    async with opened(tmp_path, gateway, clock=clock) as inspector:

        async def run() -> None:
            world.count = 0
            made = await inspected(inspector, chosen)
            assert made.state is RunState.FINISHED
            await clock.advance(HOUR)

        if calm_before:
            await run()
        world.storm = STORMS[name]
        for _ in range(3):
            await run()
            assert len({key for key in off(gateway) if not is_bad(key)}) <= MOST_WRONG.get(name, 0) + 1
        world.storm = None
        await run()
        assert all(is_bad(key) for key in off(gateway))
        await run()
        assert {key for key in off(gateway) if is_bad(key)} == off(gateway)
        assert len(off(gateway)) == len(BAD)
