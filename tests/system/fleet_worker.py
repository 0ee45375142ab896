"""A worker of a test's fleet: `python -m tests.system.fleet_worker HOST TERM BEAT FOLDER URL...`.

It is the worker as it is served, with short terms and several gateways. Every connection to a gateway comes from the
worker's own address of loopback, HOST, so that a stand-in can tell the workers apart.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import aiohttp

from adapter.management import HttpTransport, ManagementConnection
from adapter.privacy.secret import Secret
from extension.engine.dispatch.inspector_visit import InspectorVisit, OpenedEngine
from extension.engine.dispatch.tenure import Tenure, Terms
from extension.engine.inspector import Inspector
from extension.serving.assembly import Assembly
from extension.serving.composition import assemble
from extension.serving.store_faults import every_fault
from extension.serving.worker import WorkerTask, serve_as_worker
from extension.store.database.database import Database
from extension.store.pool import pools
from tests.adapter.management.stand_in import KEY


class HostTransport(HttpTransport):
    """Connects from one address of loopback."""

    host = "127.0.0.1"

    def session(self) -> aiohttp.ClientSession:
        plain = aiohttp.TCPConnector
        aiohttp.TCPConnector = partial(plain, local_addr=(self.host, 0))  # type: ignore[misc, assignment]
        try:
            return super().session()
        finally:
            aiohttp.TCPConnector = plain  # type: ignore[misc]


def connection_to(url: str) -> ManagementConnection:
    """Return a connection that does not repeat a read for long."""
    connection = ManagementConnection(url, Secret(KEY), transport=HostTransport(url, Secret(KEY)), patience=1.0)
    connection.bind(bytes(32))
    return connection


async def main(host: str, terms: Terms, folder: Path, urls: Sequence[str]) -> None:
    """Work on the gateways, whose pools are named by their place."""
    HostTransport.host = host
    connections = [connection_to(url) for url in urls]
    environment = {**os.environ, "POOLKEEPER_DATA_DIR": str(folder)}
    assembly, _ = assemble(connection_to(urls[0]), environment, ends_at=every_fault)

    async def work_on(_: Assembly, database: Database) -> WorkerTask:
        numbers = [await database.write(pools.ensure, f"p{place}", 0) for place in range(len(urls))]

        @asynccontextmanager
        async def opener(gateway: int, tenure: Tenure) -> AsyncIterator[OpenedEngine]:
            place = numbers.index(gateway)
            inspector = Inspector(
                connections[place].gateway,
                database,
                assembly.clock,
                assembly.redactor,
                pool_name=f"p{place}",
                fence=tenure.require,
            )
            await inspector.open()
            try:
                yield OpenedEngine(inspector)
            finally:
                await inspector.close()

        return WorkerTask(InspectorVisit(database, assembly.clock, opener))

    await serve_as_worker(assembly, work_on, terms, address=host)


if __name__ == "__main__":
    _, own_host, term, beat, data_folder, *gateways = sys.argv
    times = Terms(term=float(term), beat=float(beat), linger=1.0)
    asyncio.run(main(own_host, times, Path(data_folder), gateways))
