"""A fleet of stand-in gateways and worker processes on one database, with what the gateways have seen."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psycopg
from aiohttp import web

from adapter.clock import SystemClock
from adapter.privacy.secret import Redactor, Secret
from extension.engine.dispatch.commands import CommandKind, CommandRequest
from extension.engine.dispatch.postgresql import PostgreSQLDispatch
from extension.engine.dispatch.tenure import Terms
from extension.inspection.probes.controls import MARK
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.pool import pools
from extension.store.records import RunRecord
from tests.adapter.management.stand_in import StandIn, claude, standing
from tests.repository.tracked import ROOT
from tests.system.process import clean_environment

READY: Final = "this worker is ready"
_CLAIMS: Final = """
CREATE TABLE claims (name text, epoch bigint, address text, at double precision);
CREATE FUNCTION note_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO claims VALUES (NEW.name, NEW.epoch, NEW.address, extract(epoch FROM clock_timestamp())); RETURN NEW;
END $$;
CREATE TRIGGER note_claim AFTER INSERT OR UPDATE OF epoch ON leases FOR EACH ROW EXECUTE FUNCTION note_claim();
"""
"""Notes every change of an owner: what is asked of a gateway is compared with it."""


@dataclass
class SeenGateway:
    """A stand-in, with the time and the sender of each request, and how often each account was probed and written."""

    stand_in: StandIn
    seconds: float
    broken: Callable[[str], bool]
    url: str = ""
    free: int = 2**31
    """Probes that are answered before those that wait for the gate."""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    requests: list[tuple[float, str, str]] = field(default_factory=list)
    probes: Counter[str] = field(default_factory=Counter)
    writes: Counter[str] = field(default_factory=Counter)

    async def before(self, request: web.Request) -> web.StreamResponse | None:
        """Note a request, and answer one that goes upstream."""
        self.requests.append((SystemClock().now_ms() / 1000, request.remote or "", f"{request.method} {request.path}"))
        if request.method == "PATCH":
            body = await request.json()
            self.writes[f"{body.get('name')} {body.get('disabled')}"] += 1
        if not request.path.endswith("/api-call"):
            return None
        body = await request.json()
        await asyncio.sleep(self.seconds)
        if sum(self.probes.values()) >= self.free:
            await self.gate.wait()
        is_control = MARK in json.dumps(body.get("header", {}))
        if not is_control:
            self.probes[body["auth_index"]] += 1
        refused = is_control or self.broken(body["auth_index"])
        text = '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'
        answer = {
            "status_code": 401 if refused else 200,
            "header": {"Content-Type": ["application/json"]},
            "body": text if refused else '{"type":"message","content":[{"type":"text","text":"pong"}],"data":[]}',
        }
        return web.json_response(answer, headers=self.stand_in.version)


@dataclass
class WorkerProcess:
    """A worker in a process of its own, told apart by its address."""

    host: str
    process: subprocess.Popen[bytes]
    log: Path

    async def said(self, text: str) -> None:
        """Wait until its log holds a text."""
        async with asyncio.timeout(60):
            while text not in self.log.read_text():
                assert self.process.poll() is None, self.log.read_text()
                await asyncio.sleep(0.05)

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it with a signal and return its exit status."""
        self.send(signal.SIGCONT)
        self.send(number)
        return await asyncio.to_thread(self.process.wait)


@dataclass
class Fleet:
    """Gateways, database, and a console's side of the dispatch."""

    address: str
    path: Path
    terms: Terms
    gateways: Sequence[SeenGateway]
    dispatch: PostgreSQLDispatch
    database: Database
    numbers: tuple[int, ...]
    workers: list[WorkerProcess] = field(default_factory=list)

    async def worker(self) -> WorkerProcess:
        """Start a worker, and wait until it is ready."""
        number = len(self.workers)
        host, log = f"127.0.{1 + number // 200}.{2 + number % 200}", self.path / f"worker-{number}.log"
        folder = self.path / f"worker-{number}"
        folder.mkdir(mode=0o700)
        (folder / "secret.key").write_text(bytes(32).hex())
        (folder / "secret.key").chmod(0o600)
        times = (str(self.terms.term), str(self.terms.beat))
        command = [sys.executable, "-m", "tests.system.fleet_worker", host, *times, str(folder)]
        with log.open("wb") as output:
            process = subprocess.Popen(  # noqa: ASYNC220 - it is back in a moment
                [*command, *(gateway.url for gateway in self.gateways)],
                cwd=ROOT,
                env=clean_environment({"POOLKEEPER_DATABASE_URL": self.address}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        worker = WorkerProcess(host, process, log)
        self.workers.append(worker)
        await worker.said(READY)
        return worker

    async def start(self, place: int, **settings: object) -> int:
        """Start a run on a gateway through its owner."""
        body = {"accountSource": "api_key", "retries": 0, "timeoutSeconds": 30, "evidenceChecks": False, **settings}
        command = CommandRequest(CommandKind.START, "a test", {"settings": body})
        run = await self.dispatch.ask(self.numbers[place], command)
        assert isinstance(run, RunRecord)
        return run.id

    async def rows(self, query: str) -> list[tuple[object, ...]]:
        """Ask the database itself; while it is away there are none."""

        def read() -> list[tuple[object, ...]]:
            with suppress(psycopg.Error), psycopg.connect(self.address, connect_timeout=2) as connection:
                return connection.execute(query.encode()).fetchall()
            return []

        return await asyncio.to_thread(read)

    async def owner(self, place: int) -> WorkerProcess:
        """Return the worker that has the lease of a gateway."""
        name = f"gateway:{self.numbers[place]}"
        hosts = {str(owned): str(host) for owned, host in await self.rows("SELECT name, address FROM leases")}
        return next(worker for worker in self.workers if worker.host == hosts[name])

    async def until(self, query: str, seconds: float = 60.0) -> float:
        """Wait until a query has a row, and return the seconds."""
        began = time.monotonic()
        async with asyncio.timeout(seconds):
            while not await self.rows(query):  # noqa: ASYNC110 - another process has to bring it about
                await asyncio.sleep(0.05)
        return time.monotonic() - began

    async def strangers(self) -> list[str]:
        """Return the requests of processes that did not own the gateway when they came."""
        claims = await self.rows("SELECT name, at, address FROM claims ORDER BY at")
        foreign = []
        for number, gateway in zip(self.numbers, self.gateways, strict=True):
            owners = [(at, host) for name, at, host in claims if name == f"gateway:{number}"]
            for at, sender, line in gateway.requests:
                owner = next((host for since, host in reversed(owners) if float(str(since)) <= at), "")
                if owner != sender:
                    foreign.append(f"{line} to gateway {number} by {sender} at {at}, owned by {owner or 'nobody'}")
        return foreign


@asynccontextmanager
async def fleet(
    path: Path,
    address: str,
    *,
    gateways: int,
    accounts: int,
    terms: Terms,
    seconds: float = 0.02,
    broken: Callable[[str], bool] = lambda _: False,
) -> AsyncIterator[Fleet]:
    """Run stand-in gateways with API keys until the context ends; workers are started by the test."""
    async with AsyncExitStack() as opened:
        seen = []
        for number in range(gateways):
            stand_in = StandIn()
            stand_in.sections["claude-api-key"] = [claude(number * 10_000 + place) for place in range(accounts)]
            stand_in.reload()
            gateway = SeenGateway(stand_in, seconds, broken)
            stand_in.before = gateway.before
            gateway.url = (await opened.enter_async_context(standing(stand_in))).address
            seen.append(gateway)
        folder = opened.enter_context(DataFolder.open(path / "console"))
        storage = PostgreSQLStorage(Secret(address))
        database = await Database.open(folder, storage=storage)
        opened.push_async_callback(database.close)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(_CLAIMS.encode())
        numbers = tuple([await database.write(pools.ensure, f"p{place}", 0) for place in range(gateways)])
        dispatch = PostgreSQLDispatch(database, SystemClock(), Redactor(), storage.conninfo(), terms=terms)
        await dispatch.open()
        running = Fleet(address, path, terms, seen, dispatch, database, numbers)
        try:
            yield running
        finally:
            for worker in running.workers:
                if worker.process.poll() is None:
                    await worker.end(signal.SIGKILL)
