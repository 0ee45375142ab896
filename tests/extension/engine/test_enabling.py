"""Enabling by automation: a host that serves any key for a moment shows nothing about the key of an account."""

from collections.abc import Callable
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer, NoAnswer
from extension.inspection.probes.controls import MARK
from tests.extension.engine.scenario import FlyingClock, compat_config, inspected, numbers, opened, release, settings
from tests.extension.engine.test_single_keys import CHOSEN, HOSTS, MINUTE, REFUSED, disabled, serving

Upstream = Callable[[UpstreamRequest], Answer | NoAnswer]
CHAT = reply(200, '{"choices":[{"message":{"content":"pong"}}]}')
LACKING = reply(400, '{"error":{"message":"messages is missing","type":"invalid_request_error"}}')


def open_for(seconds: float, clock: FlyingClock, then: Upstream) -> Upstream:
    """Return an upstream that serves any key for some seconds from now."""
    end = clock.monotonic() + seconds
    return lambda request: (reply() if request.method == "GET" else CHAT) if clock.monotonic() < end else then(request)


def chat_alone_checks_keys(request: UpstreamRequest) -> Answer:
    """Answer as a host whose list of models is public."""
    if request.method == "GET":
        return reply()
    return REFUSED if MARK in request.header["Authorization"] else LACKING if request.body == "{}" else CHAT


def serves_any_key(request: UpstreamRequest) -> Answer:
    """Answer as a local model server."""
    return reply() if request.method == "GET" else CHAT


async def after_two_refusals(path: Path, *later: Callable[[FlyingClock], Upstream], off: int = 20) -> list[int]:
    """Let automation disable keys, and return how many are off after each later run, eleven minutes apart."""
    gateway, clock, counts = FakeGateway(compat_config(HOSTS[:off])), FlyingClock(), list[int]()
    gateway.upstream = lambda _: REFUSED
    async with opened(path, gateway, clock=clock) as inspector:
        for _ in range(2):
            await inspected(inspector, CHOSEN)
            await clock.advance(11 * MINUTE)
        assert len(disabled(gateway)) == off
        for upstream in later:
            gateway.upstream = upstream(clock)
            await inspected(inspector, CHOSEN)
            counts.append(len(disabled(gateway)))
            await clock.advance(11 * MINUTE)
    return counts


@pytest.mark.parametrize("seconds", [2, 5, 8, 29])
async def test_a_host_that_serves_any_key_for_a_moment_enables_none_of_its_dead_keys(
    tmp_path: Path, seconds: float
) -> None:
    def moment(clock: FlyingClock) -> Upstream:
        return open_for(seconds, clock, lambda _: REFUSED)

    assert await after_two_refusals(tmp_path, moment, moment, moment) == [20, 20, 20]


@pytest.mark.parametrize(
    ("upstream", "off"),
    [
        pytest.param(serving(), [0, 0], id="keys are checked"),
        pytest.param(chat_alone_checks_keys, [0, 0], id="a chat checks keys"),
        pytest.param(serves_any_key, [20, 0], id="no key is checked"),
    ],
)
async def test_all_that_recovered_are_enabled_at_the_latest_by_the_second_run(
    tmp_path: Path, upstream: Upstream, off: list[int]
) -> None:
    assert await after_two_refusals(tmp_path, lambda _: upstream, lambda _: upstream) == off


async def test_what_recovers_behind_a_moment_is_enabled_in_the_same_run(tmp_path: Path) -> None:
    assert await after_two_refusals(tmp_path, lambda clock: open_for(8, clock, serving())) == [0]


async def test_an_enable_on_hold_tells_why_and_waits_for_no_person(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(HOSTS[:1]).replace("base-url", "disabled: true\n    base-url"))
    gateway.upstream = serves_any_key
    async with opened(tmp_path, gateway) as inspector:
        (number,) = (await numbers(inspector)).values()
        await inspector.listing.set_flags([number], managed=True)
        run = await inspected(inspector, settings(autoActionMode="disable"))
        (hold,) = await inspector.history.held(run.id)
        assert (hold.code, disabled(gateway)) == ("any_key_served", {HOSTS[0]})
        await release(inspector, run.id, "anna")
        assert disabled(gateway) == set()
