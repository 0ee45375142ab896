"""Actions through the embedded gateway: a large batch and its undo, and a run with actions beside one without."""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
from extension.store.records import ActionOutcome
from tests.bench.following import followed
from tests.bench.loops import embedded
from tests.bench.provider import providers_process
from tests.bench.table import table
from tests.soak.large_pool import LargePool, write_pool

CHANGES = 2_000
ROUNDS = 3
SHARES = {"ok": 540, "claude-ok": 360, "wrong-key": 60, "claude-wrong-key": 40}
REPORTS: InspectionSettings = parse_settings({"accountSource": "api_key"})
DISABLES: InspectionSettings = parse_settings({"accountSource": "api_key", "autoActionMode": "disable"})


def report() -> str:
    """Measure in interleaved rounds, each on a pool of its own, and answer both tables."""
    batch: list[float] = []
    undo: list[float] = []
    without: list[float] = []
    automatic: list[float] = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as name:
            pool = write_pool(Path(name), CHANGES, SHARES)
            with providers_process(pool.providers_port):
                there, back = uvloop.run(_batch(pool, Path(name) / "batch"))
                batch.append(there)
                undo.append(back)
                without.append(uvloop.run(_run(pool, Path(name) / "without", REPORTS)))
                automatic.append(uvloop.run(_run(pool, Path(name) / "automatic", DISABLES)))
    title = f"{CHANGES} changes as one batch, embedded, {ROUNDS} rounds; the bar is 5 s"
    runs = f"Inspection of {CHANGES} keys, a tenth of them dead; automatic disabling may take 1.2 times as long"
    return "\n\n".join(
        (
            table(title, {"disable": batch, "undo of the batch": undo}, work=CHANGES, unit="changes"),
            table(
                runs, {"without actions": without, "with automatic disabling": automatic}, work=CHANGES, unit="probes"
            ),
        )
    )


@asynccontextmanager
async def _opened(pool: LargePool, folder: Path) -> AsyncIterator[Inspector]:
    with DataFolder.open(folder) as data:
        async with embedded(pool) as connection:
            connection.bind(installation_key(data))
            database = await Database.open(data)
            try:
                inspector = Inspector(connection.gateway, database, SystemClock(), Redactor(()))
                await inspector.open()
                await inspector.listing.view(Selection(REPORTS.account_source))
                yield inspector
                await inspector.close()
            finally:
                await database.close()


async def _batch(pool: LargePool, folder: Path) -> tuple[float, float]:
    """Disable every account that has a switch, after an inspection, and undo it."""
    async with _opened(pool, folder) as inspector:
        await inspector.runs.start(REPORTS, "bench")
        await followed(inspector)
        accounts = (await inspector.listing.view(Selection(REPORTS.account_source))).accounts
        chosen = [account.id for account in accounts if account.switch != "none"]
        started = time.perf_counter()
        done = await inspector.commands.carry_out(chosen, "disable", "bench")
        middle = time.perf_counter()
        if done.batch is None or done.batch.outcomes != {ActionOutcome.APPLIED.value: len(chosen)}:
            raise RuntimeError(f"Not every change was made: {done.batch}")
        await inspector.undo.of_batch(done.batch.id, "bench")
        return middle - started, time.perf_counter() - middle


async def _run(pool: LargePool, folder: Path, settings: InspectionSettings) -> float:
    async with _opened(pool, folder) as inspector:
        started = time.perf_counter()
        await inspector.runs.start(settings, "bench")
        await followed(inspector)
        return time.perf_counter() - started
