import os
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.util import find_spec
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


STAGES: dict[str, Callable[[Path], Awaitable[Stage]]] = (
    {"stock": stock} if os.environ.get(BINARY) else {"embedded": _embedded, "fake": _fake}
)
"""What the suite runs against; a stock binary stands for itself, because nothing of it belongs to the project."""
if "embedded" in STAGES and find_spec("gateway.internal.management.sections") is not None:
    # the first version of the mirrored gateway served no sections, so that its keys could not be read over HTTP
    STAGES["management, extended profile"] = lambda folder: over_http(folder, "extended")
    STAGES["management, stock profile"] = lambda folder: over_http(folder, "stock")


@pytest.fixture(params=sorted(STAGES))
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    opened = await STAGES[request.param](tmp_path)
    yield opened
    await opened.close()
