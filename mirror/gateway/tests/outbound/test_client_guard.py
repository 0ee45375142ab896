import pytest

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import FailureKind
from gateway.internal.outbound.guard import Guard, guard_of
from tests.loopback import answer, upstream
from tests.outbound.sending import failure, get, proxy


async def test_the_guard_stops_a_call_to_an_inner_address(outbound: Outbound) -> None:
    async with upstream(lambda _: answer()) as provider:
        failed = await failure(outbound, get(provider.url), guard=Guard())
    assert (failed.kind, provider.connections) == (FailureKind.BLOCKED, 0)


async def test_the_guard_looks_at_what_a_name_resolves_to(outbound: Outbound) -> None:
    async with upstream(lambda _: answer()) as provider:
        failed = await failure(outbound, get(f"http://localhost:{provider.port}/"), guard=Guard())
    assert (failed.kind, provider.connections) == (FailureKind.BLOCKED, 0)


async def test_the_guard_lets_a_configured_base_address_through(outbound: Outbound) -> None:
    async with upstream(lambda _: answer()) as provider:
        guard = guard_of([f"{provider.url}/v1"], [])
        assert (await outbound.send(get(f"{provider.url}/v1/models"), guard=guard)).status == 200


SPELLINGS = [
    "127\u30020\u30020\u30021",
    "127\uff0e0\uff0e0\uff0e1",
    "127\uff610\uff610\uff611",
    "\uff11\uff12\uff17.0.0.1",
    "\u2460\u2461\u2466.\u24ea.\u24ea.\u2460",
    "\U0001d7cf\U0001d7d0\U0001d7d5.0.0.1",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "0x7f.1",
]


@pytest.mark.parametrize("host", SPELLINGS)
async def test_the_guard_sees_through_every_spelling_of_an_address(outbound: Outbound, host: str) -> None:
    async with upstream(lambda _: answer()) as provider:
        failed = await failure(outbound, get(f"http://{host}:{provider.port}/"), guard=Guard())
    assert (failed.kind, provider.connections) == (FailureKind.BLOCKED, 0)


@pytest.mark.parametrize("scheme", ["http", "socks5"])
@pytest.mark.parametrize("host", SPELLINGS[:6])
async def test_the_guard_sees_through_the_spelling_of_a_supplied_proxy(
    outbound: Outbound, scheme: str, host: str
) -> None:
    async with upstream(lambda _: answer()) as middle:
        supplied = proxy(f"{scheme}://{host}:{middle.port}", supplied=True)
        failed = await failure(outbound, get("http://far.invalid/"), proxy=supplied, guard=Guard())
    assert (failed.kind, middle.connections) == (FailureKind.BLOCKED, 0)


async def test_a_network_taken_off_the_allow_list_is_out_of_reach_over_a_kept_connection(outbound: Outbound) -> None:
    async with upstream(lambda _: answer()) as provider:
        url = f"http://localhost:{provider.port}/"
        await outbound.send(get(url), guard=guard_of([], ["127.0.0.0/8"]))
        failed = await failure(outbound, get(url), guard=Guard())
    assert (failed.kind, len(provider.received)) == (FailureKind.BLOCKED, 1)


async def test_an_open_connection_to_a_trusted_place_is_no_way_round_the_guard(outbound: Outbound) -> None:
    async with upstream(lambda _: answer()) as provider:
        url = f"http://localhost:{provider.port}/"
        await outbound.send(get(url), guard=guard_of([url], []))
        failed = await failure(outbound, get(url), guard=Guard())
    assert (failed.kind, len(provider.received)) == (FailureKind.BLOCKED, 1)


@pytest.mark.parametrize("scheme", ["http", "socks5"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_proxy_that_came_with_the_request_is_judged(outbound: Outbound, scheme: str, host: str) -> None:
    async with upstream(lambda _: answer()) as middle:
        supplied = proxy(f"{scheme}://{host}:{middle.port}", supplied=True)
        failed = await failure(outbound, get("http://far.invalid/"), proxy=supplied, guard=Guard())
    assert (failed.kind, middle.connections) == (FailureKind.BLOCKED, 0)


async def test_a_configured_proxy_is_trusted_but_not_for_an_inner_target(outbound: Outbound) -> None:
    async with upstream(lambda _: answer()) as middle:
        configured = proxy(f"http://127.0.0.1:{middle.port}")
        assert (await outbound.send(get("http://far.invalid/"), proxy=configured, guard=Guard())).status == 200
        failed = await failure(outbound, get("http://169.254.169.254/"), proxy=configured, guard=Guard())
    assert (failed.kind, len(middle.received)) == (FailureKind.BLOCKED, 1)
