import os
import shutil
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import INFO
from tools.project.native.building import run_cargo, target_folder

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def faulty_library() -> Path:
    """The library with a planted panic, which no release has."""
    if shutil.which("cargo") is None and os.environ.get("CI") != "true":
        pytest.skip("cargo is not installed: the library with a planted panic cannot be built")
    run_cargo(ROOT, os.environ, ["build", "--lib", "--features", "planted-faults"])
    return target_folder(os.environ) / "debug" / "libpoolkeeper.so"


async def test_a_panic_of_the_library_fails_one_call_and_no_other(make: Make, faulty_library: Path) -> None:
    gateway = make(library=faulty_library)
    await gateway.open()
    (child,) = gateway.children()

    for _ in range(3):
        status, body, _ = await gateway.ask(INFO, headers={"X-Planted-Panic": "1"})
        assert status == 502
        assert b"plugin_failed" in body
        assert await gateway.status(INFO) == 200

    assert gateway.alive
    assert gateway.children() == [child]
