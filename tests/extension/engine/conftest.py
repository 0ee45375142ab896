from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from extension.engine.inspector import Inspector
from tests.extension.engine.scenario import FlyingClock, opened


@pytest.fixture(autouse=True)
def _plain_log() -> Iterator[None]:
    """Log as a service does: one plain line an event, on standard output, where a test can look for secrets."""
    structlog.reset_defaults()  # a service in this process may have been here before
    structlog.configure(processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()])
    yield
    structlog.reset_defaults()


@pytest.fixture
def clock() -> FakeClock:
    return FlyingClock()


@pytest.fixture
async def inspector(tmp_path: Path, gateway: FakeGateway, clock: FakeClock) -> AsyncIterator[Inspector]:
    """Open the engine over the `gateway` and the `clock` of the module."""
    async with opened(tmp_path, gateway, clock=clock) as engine:
        yield engine
