"""Pools of hosts with one key each, under automation: nothing but a second run shows a dead key there."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply, silent
from adapter.port import Answer, NoAnswer, NoAnswerKind
from extension.engine.inspector import Inspector
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import AutoActionMode
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import (
    FlyingClock,
    apply,
    compat_config,
    fleet,
    inspected,
    newest_actions,
    opened,
    settings,
)
from tests.extension.engine.test_storm_recovery import CHALLENGE, off

Upstream = Callable[[UpstreamRequest], Answer | NoAnswer]
CHOSEN = settings(autoActionMode="disable")
REFUSED = reply(401, '{"error":{"message":"Who are you?"}}')
MINUTE = 60.0
HOSTS = [f"host-{number:02}" for number in range(24)]


async def runs(path: Path, gateway: FakeGateway, times: int, then: Callable[[], None] = lambda: None) -> Inspector:
    """Inspect a pool so many times, eleven minutes apart; between two runs something may happen."""
    clock = FlyingClock()
    async with opened(path, gateway, clock=clock) as inspector:
        for _ in range(times):
            await inspected(inspector, CHOSEN)
            then()
            await clock.advance(11 * MINUTE)
        return inspector


def disabled(gateway: FakeGateway) -> set[str]:
    """Return the names of the compatible providers that are switched off."""
    return {entry["name"] for entry in gateway.state.document["openai-compatibility"] if entry.get("disabled")}


def serving(dead: str = "") -> Upstream:
    """Return an upstream that refuses wrong keys and those of one host."""

    def upstream(request: UpstreamRequest) -> Answer:
        bad = MARK in request.header["Authorization"] or (dead and dead in request.url)
        return REFUSED if bad else reply()

    return upstream


async def test_a_refusal_of_a_moment_disables_no_single_key_and_a_dead_one_is_off_after_two_runs(
    tmp_path: Path,
) -> None:
    gateway = FakeGateway(compat_config(HOSTS[:8]))
    gateway.upstream = lambda _: REFUSED

    def wall_ends() -> None:
        gateway.upstream = serving(HOSTS[3])

    await runs(tmp_path, gateway, 1, wall_ends)
    assert disabled(gateway) == set()
    await runs(tmp_path, gateway, 2)
    assert disabled(gateway) == {HOSTS[3]}


async def test_a_person_does_not_wait_for_a_second_run(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(HOSTS[:1]))
    gateway.upstream = lambda _: REFUSED
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, CHOSEN)
        (hold,) = await inspector.history.held(run.id)
        assert (hold.code, await newest_actions(inspector)) == ("first_refusal", ())
        assert "A person can disable it now" in hold.text
        (plan,) = [plan for plan in await inspector.follow_up.plans(run.id) if plan.mode is AutoActionMode.DISABLE]
        assert (len(plan.applied), len(plan.held)) == (1, 0)
        (made,) = await apply(inspector, run.id, AutoActionMode.DISABLE, "anna")
        assert made.outcome is ActionOutcome.APPLIED


def refusing_by_chance(seed: int) -> Upstream:
    """Return an upstream that throws dice for each request of a host by itself, whatever the order of hosts."""
    requests = Counter[str]()

    def upstream(request: UpstreamRequest) -> Answer:
        host = urlsplit(request.url).netloc
        requests[host] += 1
        refused = Random(f"{seed} {host} {requests[host]}").random() < 1 / 2
        return REFUSED if refused or MARK in request.header["Authorization"] else reply()

    return upstream


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 21))])
async def test_hosts_that_refuse_every_second_request_lose_no_key(tmp_path: Path, seed: int) -> None:
    gateway = FakeGateway(compat_config(HOSTS))
    gateway.upstream = refusing_by_chance(seed)

    await runs(tmp_path, gateway, 3)

    assert disabled(gateway) == set()


@pytest.mark.parametrize(
    "dead",
    [
        silent(NoAnswerKind.UNKNOWN, "the gateway says: request failed", 0.1),
        silent(NoAnswerKind.PROXY, "the proxy could not be used", 0.1),
        reply(403, "Access denied"),
        reply(502, "Bad gateway"),
    ],
)
async def test_a_dead_proxy_of_twenty_hosts_disables_none_of_their_accounts(
    tmp_path: Path, dead: Answer | NoAnswer
) -> None:
    proxied = "\n        proxy-url: http://proxy.example:3128"
    text = compat_config(HOSTS[:20]).replace("cdef\n", f"cdef{proxied}\n") + compat_config(["alone"])[22:]
    gateway = FakeGateway(text)
    gateway.upstream = lambda request: reply() if "alone" in request.url else dead

    await runs(tmp_path, gateway, 3)

    assert len(gateway.state.document["openai-compatibility"]) == 21
    assert disabled(gateway) == set()


SERVED = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
QUOTED = '{"error":{"message":"Error from provider: Insufficient balance","type":"upstream_error"}}'


@pytest.mark.parametrize("accounts", [1, 2], ids=["alone", "beside a witness"])
@pytest.mark.parametrize(
    "trouble", [reply(401, '{"error":{"message":"令牌验证失败","type":"one_api_error"}}'), reply(402, QUOTED)]
)
async def test_trouble_that_a_relay_tells_disables_no_key_however_often_it_is_seen(
    tmp_path: Path, trouble: Answer, accounts: int
) -> None:
    gateway = FakeGateway(fleet({"one": accounts}))

    def upstream(request: UpstreamRequest) -> Answer:
        key = request.header["x-api-key"]
        return REFUSED if MARK in key else trouble if int(key.split("-")[3]) == 0 else SERVED

    gateway.upstream = upstream
    await runs(tmp_path, gateway, 3)

    assert off(gateway) == set()


async def test_a_wall_is_no_earlier_refusal_of_the_keys_behind_it(tmp_path: Path) -> None:
    gateway, plain = FakeGateway(fleet({"one": 40})), reply(403, '{"error":{"message":"Not for you."}}')
    refusal = CHALLENGE

    def upstream(request: UpstreamRequest) -> Answer:
        key = request.header["x-api-key"]
        if MARK in key:
            return reply(401)
        return refusal if int(key.split("-")[3]) < 20 else SERVED

    def another() -> None:
        nonlocal refusal
        refusal = plain

    gateway.upstream = upstream
    await runs(tmp_path, gateway, 2, another)

    assert off(gateway) == set()


@pytest.mark.parametrize("seconds", [1.5, 5.0])
async def test_a_wall_in_the_first_seconds_of_every_run_disables_no_single_key(tmp_path: Path, seconds: float) -> None:
    clock, gateway = FlyingClock(), FakeGateway(compat_config(HOSTS[:3]))
    dead, until = HOSTS[1], 0.0

    def upstream(request: UpstreamRequest) -> Answer | NoAnswer:
        return REFUSED if clock.monotonic() < until else serving(dead)(request)

    gateway.upstream = upstream
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for _ in range(2):
            began = clock.monotonic()
            until = began + seconds
            await inspected(inspector, CHOSEN)
            confirming = clock.monotonic() - began
            await clock.advance(11 * MINUTE)
    assert disabled(gateway) == {dead}
    assert MINUTE * 0.9 < confirming < MINUTE * 1.2


async def test_no_account_beside_one_that_works_waits_for_a_single_key(tmp_path: Path) -> None:
    clock = FlyingClock()
    gateway = FakeGateway(fleet({"one": 8, "alone": 1}), clock=clock)
    good = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
    bad = ("-one-0007-", "-alone-")
    gateway.upstream = lambda request: (
        REFUSED if any(part in request.header["x-api-key"] for part in (*bad, MARK)) else good
    )
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for _ in range(2):
            began = clock.now_ms()
            await inspected(inspector, CHOSEN)
            await clock.advance(11 * MINUTE)
        alone, beside = await newest_actions(inspector)
        assert len(off(gateway)) == 2
        assert beside.at - began < 10_000
        assert alone.at - began > 50_000
