from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import pytest

from tests.contract.embedded_stage import EmbeddedStage
from tests.contract.fake_stage import FakeStage
from tests.contract.stage import Stage


async def _fake(_: Path) -> Stage:
    return FakeStage()


async def _embedded(folder: Path) -> Stage:
    return await EmbeddedStage(folder).start()


STAGES: Mapping[str, Callable[[Path], Awaitable[Stage]]] = {"embedded": _embedded, "fake": _fake}


@pytest.fixture(params=sorted(STAGES))
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    opened = await STAGES[request.param](tmp_path)
    yield opened
    await opened.close()
