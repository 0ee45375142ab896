"""Time between an answer and its return, which takes readings that settle what it is about."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from adapter.clock import FakeClock
from adapter.management import ManagementConnection
from adapter.port import Answer, OutboundCall, Section
from adapter.privacy.secret import Secret
from tests.adapter.management.hasty_clock import HastyClock
from tests.adapter.management.stand_in import KEY, Place, StandIn, claude
from tests.contract.pool import key_of

READING, ANSWERING = 0.25, 0.05


@pytest.fixture
def clock() -> FakeClock:
    return HastyClock()


@pytest.fixture
async def connection(place: Place, clock: FakeClock) -> AsyncIterator[ManagementConnection]:
    opened = ManagementConnection(place.address, Secret(KEY), clock)
    opened.bind(bytes(range(32)))
    yield opened
    await opened.close()


async def test_a_refusal_tells_how_long_ago_it_came(
    stand_in: StandIn, connection: ManagementConnection, clock: FakeClock
) -> None:
    stand_in.sections["claude-api-key"] = [claude(1)]
    stand_in.reload()
    account = key_of(await connection.gateway.accounts(), Section.CLAUDE, 0)

    async def slow(request: web.Request) -> web.StreamResponse | None:
        await clock.advance(ANSWERING if request.path.endswith("api-call") else READING)
        return None

    stand_in.before = slow
    call = OutboundCall(account.ref, "GET", "http://127.0.0.1:9/v1/models", {}, "")
    answer = await connection.gateway.call(call, timeout=15)

    assert isinstance(answer, Answer)
    assert answer.status == 401
    assert answer.elapsed == pytest.approx(ANSWERING)
    assert answer.settled >= READING
