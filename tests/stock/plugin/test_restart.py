"""The real service after the end of its process: how soon it answers again, and what that costs."""

import os
import signal
import sys
import time
from collections.abc import Callable

import pytest

from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import processor_seconds, until
from tests.stock.table import FIGURE

pytestmark = pytest.mark.timeout(300)
SERVICE = [sys.executable, "-m", "extension", "plugin", "serve"]
KILLS = 5
LIMIT_SECONDS = 2.0


async def test_a_killed_service_needs_less_than_two_seconds_of_processor_time_to_answer_again(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    gateway = make(settings={"command": SERVICE})
    await gateway.open(90)
    waited, used = [], []
    for _ in range(KILLS):
        (killed,) = gateway.processes()
        os.kill(killed, signal.SIGKILL)
        began = time.monotonic()

        async def replaced(gone: int = killed) -> bool:
            return gateway.processes() not in ([], [gone])

        await until(replaced)
        await gateway.ready(90)
        waited.append(time.monotonic() - began)
        used.append(processor_seconds(gateway.processes()[0]))

    record_property(
        FIGURE,
        f"{KILLS} kills of the service: answers again after {min(waited):.1f} to {max(waited):.1f} s and"
        f" {min(used):.2f} to {max(used):.2f} s of processor time (load {os.getloadavg()[0]:.1f})",
    )
    assert min(used) < LIMIT_SECONDS
