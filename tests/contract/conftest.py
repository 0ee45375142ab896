import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tests.contract.embedded_stage import EmbeddedStage
from tests.contract.fake_stage import FakeStage
from tests.contract.stage import Stage
from tests.contract.stock_stage import BINARY, over_http, stock


async def _fake(_: Path) -> Stage:
    return FakeStage()


async def _embedded(folder: Path) -> Stage:
    return await EmbeddedStage(folder).start()


IN_THIS_PROCESS: dict[str, Callable[[Path], Awaitable[Stage]]] = {"embedded": _embedded, "fake": _fake}
OVER_HTTP: dict[str, Callable[[Path], Awaitable[Stage]]] = {
    "management, extended profile": lambda folder: over_http(folder, "extended"),
    "management, stock profile": lambda folder: over_http(folder, "stock"),
}
STAGES = {"stock": stock} if os.environ.get(BINARY) else {**IN_THIS_PROCESS, **OVER_HTTP}
"""What the suite runs against; a stock binary stands for itself, because nothing of it belongs to the project."""

collect_ignore = ["test_aborted_streams.py", "test_mixed_traffic.py"] if os.environ.get(BINARY) else []
"""Files about our own gateway alone."""

PARAMETERS = [
    pytest.param(name, marks=[pytest.mark.slow] if name in OVER_HTTP else [], id=name) for name in sorted(STAGES)
]
"""Every stage; those that start a process for each test are slow."""


@pytest.fixture(params=PARAMETERS)
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    opened = await STAGES[request.param](tmp_path)
    yield opened
    await opened.close()
