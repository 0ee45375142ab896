"""The bare loops in a process of their own, as the service is one: the same requests, nothing kept of the answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from enum import StrEnum
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import uvloop

from extension.inspection.settings import InspectionSettings, parse_settings
from extension.store.data_folder import DataFolder
from extension.store.installation import installation_key
from tests.bench.loops import embedded, errands_of, through_the_port, with_the_library_alone, work_off
from tests.bench.provider import ProviderProcess
from tests.soak.figures import Figures
from tests.soak.large_pool import LargePool
from tests.soak.usage import Usage, usage_of


class Client(StrEnum):
    """Means by which a loop calls."""

    PORT = "the gateway, through the port"
    LIBRARY = "the HTTP library alone"


def bare_loop(pool: LargePool, settings: Mapping[str, Any], client: Client, providers: ProviderProcess) -> Figures:
    """Send everything an inspection with these settings sends, as many at once, and answer what it took."""
    before = providers.requests()
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
        wall, cpu, peak = process.submit(_measured, pool, dict(settings), client).result()
    return Figures(wall, cpu, peak, providers.requests() - before)


def _measured(pool: LargePool, settings: Mapping[str, Any], client: Client) -> tuple[float, float, float]:
    wall, before, after = uvloop.run(_looped(pool, parse_settings(settings), client))
    return wall, after.cpu_seconds - before.cpu_seconds, after.peak_megabytes


async def _looped(pool: LargePool, settings: InspectionSettings, client: Client) -> tuple[float, Usage, Usage]:
    """Plan outside the measured time, so that it holds the calls and nothing else."""
    workers, seconds = settings.workers, settings.timeout_seconds
    async with embedded(pool) as connection, with_the_library_alone(workers, seconds) as library:
        with tempfile.TemporaryDirectory() as name, DataFolder.open(Path(name) / "data") as data:
            connection.bind(installation_key(data))
        errands = await errands_of(pool, connection.gateway, settings)
        send = library if client is Client.LIBRARY else through_the_port(connection.gateway, seconds)
        before, started = usage_of(), time.perf_counter()
        await work_off(errands, workers, send)
        return time.perf_counter() - started, before, usage_of()
