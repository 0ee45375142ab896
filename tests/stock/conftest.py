import os
from collections.abc import AsyncIterator

import pytest

from tests.contract.provider import Provider, ProviderServer
from tests.contract.stock_stage import BINARY

# Nothing of a stock gateway belongs to the project, so these tests exist only where somebody names a binary.
collect_ignore_glob = [] if os.environ.get(BINARY) else ["test_*.py"]


@pytest.fixture
async def provider() -> AsyncIterator[str]:
    """Serve a provider of the suite; return its address."""
    server = ProviderServer(Provider())
    yield await server.start()
    await server.stop()
