"""Worker processes that are killed, frozen, replaced and ended in order: runs go on, and nothing is done twice."""

from __future__ import annotations

import signal
from pathlib import Path

import psycopg
import pytest

from extension.engine.dispatch.tenure import Terms
from tests.system.fleet import Fleet, WorkerProcess, fleet
from tests.system.process import run_command

TERMS = Terms(term=1.0, beat=0.2, answer=30.0)
ACCOUNTS = 60
AT_ONCE = 4
LANDED = 10  # as the query in half_done says
RESULTS = "SELECT count(*), count(DISTINCT account_id) FROM results"
FINISHED = "SELECT 1 FROM runs WHERE state = 'finished'"

pytestmark = pytest.mark.timeout(150)


async def half_done(running: Fleet) -> WorkerProcess:
    """Start a run among two workers, let some of its results land, and return the one that works on it."""
    running.gateways[0].free = LANDED
    await running.worker()
    await running.worker()
    await running.start(0, workers=AT_ONCE)
    await running.until("SELECT 1 FROM runs WHERE done >= 10")
    return await running.owner(0)


async def states(running: Fleet) -> list[object]:
    rows = await running.rows("SELECT data->>'state' FROM events WHERE kind = 'run.state' ORDER BY seq")
    return [state for (state,) in rows]


async def check(running: Fleet) -> None:
    """Make sure that no result is lost or doubled, and that only owners asked the gateway."""
    assert await running.rows(RESULTS) == [(ACCOUNTS, ACCOUNTS)]
    assert await running.strangers() == []
    repeated = sum(running.gateways[0].probes.values()) - ACCOUNTS
    assert 0 <= repeated <= AT_ONCE


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
async def test_the_run_of_a_lost_worker_is_gone_on_with(
    number: signal.Signals, tmp_path: Path, postgresql_address: str
) -> None:
    async with fleet(tmp_path, postgresql_address, gateways=1, accounts=ACCOUNTS, terms=TERMS) as running:
        first = await half_done(running)
        first.send(number)
        running.gateways[0].gate.set()
        await running.until(FINISHED)
        before = await running.rows("TABLE results"), await running.rows("TABLE runs")
        requests = len(running.gateways[0].requests)
        if number is signal.SIGSTOP:
            first.send(signal.SIGCONT)
            await first.said("lease-lost")
            assert (await running.rows("TABLE results"), await running.rows("TABLE runs")) == before
            assert first.host not in {sender for _, sender, _ in running.gateways[0].requests[requests:]}
        await check(running)


async def test_a_worker_that_ends_in_order_hands_its_run_over_without_an_interruption(
    tmp_path: Path, postgresql_address: str
) -> None:
    async with fleet(tmp_path, postgresql_address, gateways=1, accounts=ACCOUNTS, terms=TERMS) as running:
        first = await half_done(running)
        assert await first.end() == 0
        running.gateways[0].gate.set()
        await running.until(FINISHED)
        assert await states(running) == ["queued", "running", "queued", "running", "finished"]
        assert [worker.visits for worker in await running.dispatch.workers()] != []
        await check(running)


def test_a_worker_without_a_shared_database_says_what_it_needs(tmp_path: Path) -> None:
    arguments = ("worker", "--gateway", "http://127.0.0.1:9", "--data-dir", str(tmp_path / "data"))
    done = run_command(*arguments, environment={"POOLKEEPER_MANAGEMENT_KEY": "a key"})
    assert (done.returncode, "set POOLKEEPER_DATABASE_URL" in done.stderr) == (1, True), done.stderr


async def test_a_worker_of_an_older_version_ends_when_the_schema_moves(tmp_path: Path, postgresql_address: str) -> None:
    async with fleet(tmp_path, postgresql_address, gateways=1, accounts=ACCOUNTS, terms=TERMS) as running:
        worker = await running.worker()
        with psycopg.connect(postgresql_address) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        await worker.said("this worker ends")
        assert worker.process.wait(30) != 0
        assert "Update this worker" in worker.log.read_text()
