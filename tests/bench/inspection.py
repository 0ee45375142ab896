"""An inspection through the embedded gateway beside bare loops of the same requests, on the same providers."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import uvloop

from adapter.clock import SystemClock
from adapter.privacy.secret import Redactor
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection
from extension.inspection.settings import InspectionSettings, parse_settings
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.installation import installation_key
from tests.bench.following import followed
from tests.bench.loops import embedded, errands_of, through_the_port, with_the_library_alone, work_off
from tests.bench.provider import providers_process
from tests.bench.table import table
from tests.soak.large_pool import INSTANT, LargePool, write_pool

ACCOUNTS = 2_000
ROUNDS = 5
SETTINGS: InspectionSettings = parse_settings({"accountSource": "api_key"})
"""The defaults, as a user starts with: 32 workers among them."""


def report() -> str:
    """Measure in interleaved rounds and answer the table; the first contestant is what the others are held against."""
    port: list[float] = []
    library: list[float] = []
    whole: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        pool = write_pool(Path(name), ACCOUNTS, INSTANT)
        with providers_process(pool.providers_port):
            for number in range(ROUNDS):
                port.append(uvloop.run(_port(pool, Path(name) / f"bare-{number}")))
                library.append(uvloop.run(_library(pool, Path(name) / f"bare-{number}")))
                whole.append(uvloop.run(_inspection(pool, Path(name) / f"data-{number}")))
    title = (
        f"Inspection of {ACCOUNTS} keys whose providers answer at once, {SETTINGS.workers} workers, {ROUNDS} rounds, "
        "providers in a process beside"
    )
    contestants = {
        "bare loop through the port": port,
        "bare loop of the HTTP library": library,
        "inspection, results stored": whole,
    }
    return table(title, contestants, work=ACCOUNTS, unit="probes")


async def _port(pool: LargePool, folder: Path) -> float:
    async with embedded(pool) as connection:
        connection.bind(_installed(folder))
        errands = await errands_of(pool, connection.gateway, SETTINGS)
        started = time.perf_counter()
        await work_off(errands, SETTINGS.workers, through_the_port(connection.gateway, SETTINGS.timeout_seconds))
        return time.perf_counter() - started


async def _library(pool: LargePool, folder: Path) -> float:
    async with embedded(pool) as connection:
        connection.bind(_installed(folder))
        errands = await errands_of(pool, connection.gateway, SETTINGS)
    async with with_the_library_alone(SETTINGS.workers, SETTINGS.timeout_seconds) as send:
        started = time.perf_counter()
        await work_off(errands, SETTINGS.workers, send)
        return time.perf_counter() - started


def _installed(folder: Path) -> bytes:
    data = DataFolder.open(folder)
    try:
        return installation_key(data)
    finally:
        data.close()


async def _inspection(pool: LargePool, folder: Path) -> float:
    """Run one inspection as the service does, with one reader of its events, and answer the seconds it took."""
    data = DataFolder.open(folder)
    try:
        async with embedded(pool) as connection:
            connection.bind(installation_key(data))
            database = await Database.open(data)
            try:
                inspector = Inspector(connection.gateway, database, SystemClock(), Redactor(()))
                await inspector.open()
                await inspector.listing.view(
                    Selection(SETTINGS.account_source)
                )  # as the page does before anybody starts a run
                started = time.perf_counter()
                await inspector.runs.start(SETTINGS, "bench")
                await followed(inspector)
                took = time.perf_counter() - started
                await inspector.close()
                return took
            finally:
                await database.close()
    finally:
        data.close()
