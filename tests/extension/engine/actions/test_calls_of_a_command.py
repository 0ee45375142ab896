"""Requests that one command sends to a gateway elsewhere: its steps share what they read."""

from pathlib import Path

import pytest

from adapter.management import ManagementConnection
from adapter.privacy.secret import Secret
from extension.store.records import ActionOutcome
from tests.adapter.management.stand_in import KEY, StandIn, claude, standing
from tests.extension.engine.scenario import FlyingClock, numbers, opened, set_disabled

PROVIDER = {"name": "solo", "base-url": "http://x/v1", "api-key-entries": [{"api-key": "sk-solo-1"}]}
MOST = 8


@pytest.fixture
def stand_in() -> StandIn:
    gateway = StandIn()
    gateway.sections["claude-api-key"] = [claude(0)]
    gateway.sections["openai-compatibility"] = [dict(PROVIDER)]
    gateway.reload()
    return gateway


@pytest.mark.parametrize("name", ["solo", "claude"])
async def test_one_disable_sends_few_requests_and_the_next_one_as_few(
    stand_in: StandIn, tmp_path: Path, name: str
) -> None:
    async with standing(stand_in) as place:
        clock = FlyingClock()
        connection = ManagementConnection(place.address, Secret(KEY), clock)
        connection.bind(bytes(range(32)))
        await connection.gateway.describe()  # once, as a service does at its start
        async with opened(tmp_path, connection.gateway, clock=clock) as inspector:
            number = next(number for shown, number in (await numbers(inspector)).items() if name in shown)
            for disabled in (True, False, True):
                stand_in.requests.clear()
                await clock.advance(60)
                (action,) = await set_disabled(inspector, [number], disabled, "anna")
                assert action.outcome is ActionOutcome.APPLIED
                assert len(stand_in.requests) <= MOST, stand_in.requests
        await connection.close()


async def test_a_change_by_another_client_before_a_command_is_seen_by_it(stand_in: StandIn, tmp_path: Path) -> None:
    async with standing(stand_in) as place:
        clock = FlyingClock()
        connection = ManagementConnection(place.address, Secret(KEY), clock)
        connection.bind(bytes(range(32)))
        async with opened(tmp_path, connection.gateway, clock=clock) as inspector:
            number = next(number for shown, number in (await numbers(inspector)).items() if "solo" in shown)
            stand_in.sections["openai-compatibility"][0]["disabled"] = True
            stand_in.reload()
            assert [action.outcome for action in await set_disabled(inspector, [number], True, "anna")] in (
                [],
                [ActionOutcome.UNCHANGED],
            )
            assert stand_in.wrote() == []
        await connection.close()
