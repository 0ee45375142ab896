from collections.abc import AsyncIterator

import pytest

from adapter.management import ManagementConnection
from adapter.management.client import guarded_client
from adapter.privacy.secret import Secret
from tests.adapter.management.stand_in import KEY, Place, StandIn, claude, standing

INSTALLATION_KEY = bytes(range(32))


@pytest.fixture
def stand_in() -> StandIn:
    gateway = StandIn()
    gateway.sections["claude-api-key"] = [claude(number) for number in range(3)]
    gateway.sections["openai-compatibility"] = [
        {"name": "solo", "disabled": False, "base-url": "http://x/v1", "api-key-entries": [{"api-key": "sk-solo-1"}]},
        {"name": "dark", "disabled": True, "base-url": "http://x/v1", "api-key-entries": [{"api-key": "sk-dark-1"}]},
    ]
    gateway.reload()
    return gateway


@pytest.fixture
async def place(stand_in: StandIn) -> AsyncIterator[Place]:
    async with standing(stand_in) as listening:
        yield listening


@pytest.fixture
async def connection(place: Place) -> AsyncIterator[ManagementConnection]:
    opened = ManagementConnection(place.address, Secret(KEY))
    opened.bind(INSTALLATION_KEY)
    yield opened
    await opened.close()


@pytest.fixture
def brief_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat reads after pauses that take next to no time."""
    monkeypatch.setattr(guarded_client, "_FIRST_PAUSE", 0.05)
