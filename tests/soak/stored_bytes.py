"""Bytes that daily inspections leave in PostgreSQL: `python -m tests.soak.stored_bytes --accounts 100000 --days 30`.

Each day every account is checked, as a run stores it: plan, results with their events, counts, end. Nothing changes
after the first day. The bar is 30 MB for each further day of 100,000 accounts.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import psycopg

from adapter.clock import SystemClock
from adapter.privacy.secret import Secret
from extension.engine.runs.result_writer import BATCH, ResultWriter
from extension.reasons.reason import NO_REASON
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.records import AttemptRecord
from extension.store.run_state import RunState
from extension.store.runs import runs
from tests.extension.store.rows import NOW, a_result, add_accounts, add_pool, add_run
from tests.postgresql.server import running_server

BAR = 30_000_000 / 100_000
"""Bytes an account and day."""
_HEADERS = {"content-type": "application/json", "x-request-id": "req_0123456789abcdef", "server": "an edge"}
_URL = "https://provider.example/v1/models"


async def inspected(database: Database, pool_id: int, accounts: tuple[int, ...], day: int) -> None:
    """Store a whole run."""
    run = await database.write(add_run, pool_id, accounts)
    at = NOW + day * 86_400_000
    attempts = (AttemptRecord("GET", _URL, 200, 120, ""),)
    async with ResultWriter(database, SystemClock(), run.id, pool_id) as writer:
        for first in range(0, len(accounts), BATCH):
            landed = [
                replace(a_result(run.id, number), at=at, latency_ms=day + 100, attempts=attempts, headers=_HEADERS)
                for number in accounts[first : first + BATCH]
            ]
            await writer.store(*landed)

    def end(transaction: Transaction) -> None:
        runs.set_state(transaction, run.id, RunState.FINISHED, reason=NO_REASON, finished_at=at, owner="")
        runs.forget_plan(transaction, run.id)

    await database.write(end)


async def measured(address: str, accounts: int, days: int) -> list[int]:
    """Return the bytes of the database after each day; old rows are cleared away as the server does by itself."""
    storage = PostgreSQLStorage(Secret(address))
    database = await Database.open(DataFolder.without_files(Path()), SystemClock(), storage)
    try:
        pool_id = await database.write(add_pool)
        numbers = await database.write(add_accounts, pool_id, accounts)
        sizes = []
        for day in range(days):
            await inspected(database, pool_id, numbers, day)
            sizes.append(await asyncio.to_thread(_size, address))
            print(f"day {day + 1}: {sizes[-1]:,} bytes", file=sys.stderr, flush=True)
        return sizes
    finally:
        await database.close()


def _size(address: str) -> int:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("VACUUM")
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    assert row is not None
    return int(row[0])


def main() -> int:
    """Print the bytes of a further day; the exit status is 1 above the bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accounts", type=int, default=100_000)
    parser.add_argument("--days", type=int, default=30)
    options = parser.parse_args()
    with running_server() as server:
        sizes = asyncio.run(measured(server.address(server.create()), options.accounts, options.days))
    growth = (sizes[-1] - sizes[0]) / (len(sizes) - 1)
    share = growth / options.accounts
    print(f"first day {sizes[0]:,} bytes; each further day {growth:,.0f} bytes, {share:.0f} an account (bar {BAR:.0f})")
    return 0 if share <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
