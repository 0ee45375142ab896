from collections.abc import AsyncIterator

import pytest

from gateway.internal.outbound.client import Outbound


@pytest.fixture
async def outbound() -> AsyncIterator[Outbound]:
    client = Outbound()
    yield client
    await client.close()
