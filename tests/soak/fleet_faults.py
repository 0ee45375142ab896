"""A fleet whose workers are killed and frozen again and again, with its figures: `python -m tests.soak.fleet_faults`.

Every gateway has a run at all times, every second one with automatic disabling. Nothing may be lost, doubled or sent by
a process whose lease has ended.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from adapter.port import GatewayError
from extension.engine.dispatch.port import CommandInterrupted, CommandPending
from extension.engine.dispatch.tenure import Terms
from extension.engine.errors import EngineError
from extension.store.errors import StoreError
from tests.postgresql.server import PostgreSQLServer, running_server
from tests.system.fleet import Fleet, WorkerProcess, fleet

AT_ONCE = 4
RESTARTS = 3
_OPEN = "state IN ('queued', 'running', 'paused', 'finishing', 'stopping')"


@dataclass
class Faults:
    """The faults of a test: what was done to whom and when."""

    seed: int
    at: list[tuple[float, str, str]] = field(default_factory=list)
    restarts: list[float] = field(default_factory=list)


def is_broken(auth_index: str) -> bool:
    """Return whether an account of a stand-in is refused: one in sixteen."""
    return auth_index.endswith("7")


async def keep_running(running: Fleet, place: int, until: asyncio.Event, started: list[int]) -> None:
    """Start a run on a gateway whenever it has none, until an event."""
    mode = "disable" if place % 2 else "none"
    pool_id = running.numbers[place]
    while not until.is_set():
        active = await running.rows(f"SELECT 1 FROM runs WHERE pool_id = {pool_id} AND {_OPEN}")  # noqa: S608
        if not active:
            with suppress(EngineError, GatewayError, StoreError, CommandPending, CommandInterrupted):
                started.append(await running.start(place, workers=AT_ONCE, autoActionMode=mode))
        await asyncio.sleep(0.5)


async def harm(running: Fleet, server: PostgreSQLServer, faults: Faults, count: int) -> None:
    """Kill and freeze workers at random moments, and restart the database three times in between."""
    chance = Random(faults.seed)
    thawing: set[asyncio.Task[None]] = set()
    frozen: set[str] = set()
    for number in range(count):
        await asyncio.sleep(chance.uniform(0.1, 0.6) * running.terms.term)
        living = [worker for worker in running.workers if worker.process.poll() is None and worker.host not in frozen]
        victim = chance.choice(living)
        kind = chance.choice(("killed", "frozen")) if len(frozen) < 2 else "killed"
        faults.at.append((time.time(), kind, victim.host))  # noqa: TID251 - compared with that of the database
        if kind == "killed":
            await victim.end(signal.SIGKILL)
            await running.worker()
        else:
            frozen.add(victim.host)
            task = asyncio.create_task(freeze(victim, running.terms.term * chance.uniform(1.2, 2.0), frozen))
            thawing.add(task)
            task.add_done_callback(thawing.discard)
        if number in {count * part // (RESTARTS + 1) for part in range(1, RESTARTS + 1)}:
            faults.restarts.append(time.time())  # noqa: TID251 - as above
            await asyncio.to_thread(server.stop, "immediate")
            await asyncio.to_thread(server.start)
        print(f"\r{number + 1} of {count} faults", end="", file=sys.stderr, flush=True)
    if thawing:
        await asyncio.wait(thawing)


async def freeze(victim: WorkerProcess, seconds: float, frozen: set[str]) -> None:
    """Stop a worker for some time; one that was killed meanwhile is gone."""
    with suppress(ProcessLookupError):
        victim.send(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        victim.send(signal.SIGCONT)
    frozen.discard(victim.host)


@dataclass(frozen=True)
class WayBack:
    """Seconds from a fault until its gateway was claimed, and until it was asked again, each by any process."""

    seconds: float
    claimed: float
    kind: str
    restarted: bool
    """True where the database was restarted meanwhile."""


async def back_after(running: Fleet, faults: Faults) -> list[WayBack]:
    """Return the way back of each gateway that the victim of a fault worked on.

    Where the next owner is hit as well before it asks, the way begins at that fault.
    """
    rows = await running.rows("SELECT name, at, address FROM claims ORDER BY at")
    claims = [(str(name), float(str(at)), str(address)) for name, at, address in rows]
    ways = []
    for moment, kind, host in faults.at:
        for number, gateway in zip(running.numbers, running.gateways, strict=True):
            lease = f"gateway:{number}"
            before = [sender for at, sender, _ in gateway.requests if moment - 1 < at <= moment]
            if not before or before[-1] != host:
                continue
            # A frozen process may go on where nobody has taken over.
            later = ((at, sender) for at, sender, _ in gateway.requests if at > moment + 1)
            back_at = next((at for at, sender in later if sender != host or kind == "frozen"), None)
            if back_at is None:
                continue
            owners = [(at, owner) for name, at, owner in claims if name == lease and moment < at <= back_at]
            hits = [
                (at, by)
                for at, by, victim in faults.at
                if any(victim == owner and claimed < at < back_at for claimed, owner in owners)
            ]
            since, by = max(hits, default=(moment, kind))
            claimed = next((at for at, _ in owners if at > since), back_at)
            restarted = any(since - 1 < at < back_at for at in faults.restarts)
            ways.append(WayBack(back_at - since, claimed - since, by, restarted))
    return ways


async def figures(running: Fleet, faults: Faults) -> dict[str, Any]:
    """Return what may not be (all 0), and what is told."""

    async def count(query: str) -> int:
        ((number,),) = await running.rows(query)
        return int(str(number))

    runs = await count("SELECT count(*) FROM runs")
    results = await count("SELECT count(*) FROM results")
    total = await count("SELECT sum(total) FROM runs")
    probes = sum(sum(gateway.probes.values()) for gateway in running.gateways)
    back = sorted(await back_after(running, faults), key=lambda way: way.seconds)
    disabled = sum(
        entry.get("excluded-models") == ["*"]
        for gateway in running.gateways
        for entry in gateway.stand_in.sections["claude-api-key"]
    )
    recorded = "SELECT count(DISTINCT account_id) FROM actions WHERE action = 'disable' AND outcome = 'applied'"
    twice = (
        "SELECT count(*) FROM (SELECT account_id FROM actions WHERE action = 'disable' AND outcome = 'applied' "
        "GROUP BY account_id HAVING count(*) > 1) AS twice"
    )
    strangers = await running.strangers()
    return {
        "results lost": total - results,
        "results twice": results
        - await count("SELECT count(*) FROM (SELECT DISTINCT run_id, account_id FROM results) r"),
        "requests by others than the owner": len(strangers),
        "runs that did not finish": await count("SELECT count(*) FROM runs WHERE state <> 'finished'"),
        "accounts disabled twice": await count(twice),
        "disabled accounts without a record": max(0, disabled - await count(recorded)),
        "actions without an outcome": await count("SELECT count(*) FROM actions WHERE outcome = 'pending'"),
        "told": {
            "faults": len(faults.at),
            "killed": sum(kind == "killed" for _, kind, _ in faults.at),
            "restarts of the database": len(faults.restarts),
            "runs": runs,
            "results": results,
            "requests": sum(len(gateway.requests) for gateway in running.gateways),
            "probes beyond one a result": probes - results,
            "accounts disabled": disabled,
            "gateways back after, seconds (median, 95 %, most)": [
                round(back[min(len(back) - 1, len(back) * part // 100)].seconds, 1) for part in (50, 95, 100)
            ]
            if back
            else [],
            "longest ways back (seconds, to the claim, fault, beside a restart)": [
                (round(way.seconds, 1), round(way.claimed, 1), way.kind, way.restarted) for way in back[-12:]
            ],
            "strangers": strangers[:5],
        },
    }


async def harmed(server: PostgreSQLServer, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Run a fleet under faults, let it finish, and return its figures."""
    terms = Terms(term=options.term, beat=options.term / 5, answer=30.0)
    address = server.address(server.create())
    sizes = {"gateways": options.gateways, "accounts": options.accounts}
    async with fleet(path, address, **sizes, terms=terms, seconds=0.05, broken=is_broken) as running:
        for _ in range(options.workers):
            await running.worker()
        faults, done, started = Faults(options.seed), asyncio.Event(), list[int]()
        starting = [
            asyncio.create_task(keep_running(running, place, done, started)) for place in range(options.gateways)
        ]
        await harm(running, server, faults, options.faults)
        done.set()
        await asyncio.wait(starting)
        quiet = f"SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM runs WHERE {_OPEN})"  # noqa: S608 - a constant
        await running.until(quiet, 600.0)
        return await figures(running, faults)


def main() -> int:
    """Print the figures; the exit status is 1 where something is that may not be."""
    parser = argparse.ArgumentParser(description=__doc__)
    defaults = {"gateways": 20, "accounts": 240, "workers": 4, "faults": 100, "seed": 1, "term": 10.0}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = parser.parse_args()
    with running_server() as server, tempfile.TemporaryDirectory() as path:
        measured = asyncio.run(harmed(server, Path(path), options))
    figures = measured.pop("told")
    print()
    for name, value in {**measured, **figures}.items():
        print(f"{name}: {value}")
    return 1 if any(measured.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
