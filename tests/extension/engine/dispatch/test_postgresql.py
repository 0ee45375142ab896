"""Dispatch among several processes: what one leaves behind, the next goes on with, and nothing is done twice."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest
from sqlalchemy import text

from adapter.clock import FakeClock, SystemClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.engine.dispatch.commands import CommandKind, CommandRequest
from extension.engine.dispatch.port import CommandInterrupted, CommandPending
from extension.engine.dispatch.tenure import Tenure, lease_name
from extension.inspection.settings import parse_settings
from extension.store import commands, leases
from extension.store.commands import CommandState
from extension.store.database import queue_schema
from extension.store.database.database import Transaction
from extension.store.records import RunRecord
from extension.store.run_state import RunState
from tests.extension.engine.dispatch.house import TERMS, House, Node, Visitor, serving, until
from tests.extension.engine.scenario import honest

START = CommandRequest(CommandKind.START, "anna", {"settings": {"accountSource": "api_key", "workers": 1}})


class Upstream:
    """Answers so many probes, then none until more are allowed."""

    def __init__(self, gateway: FakeGateway, allowed: int) -> None:
        self.allowed = allowed
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()
        self.urls: list[str] = []
        gateway.upstream = honest(self)

    async def __call__(self, request: UpstreamRequest) -> Answer:
        if self.allowed <= 0:
            self.reached.set()
            await self.opened.wait()
        self.allowed -= 1
        self.urls.append(request.url)
        return reply()


async def started(node: Node, gateway: int) -> int:
    run = await node.dispatch.ask(gateway, START)
    assert isinstance(run, RunRecord)
    return run.id


async def state_of(node: Node, gateway: int, run: int) -> RunRecord:
    return await node.inspector_of(gateway).history.get(run)


async def has_ended(node: Node, gateway: int, run: int) -> bool:
    return gateway in node.inspectors and (await state_of(node, gateway, run)).state is RunState.FINISHED


def rows(transaction: Transaction, query: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in transaction.execute(text(query))]


async def test_a_command_and_its_wake_are_stored_together_or_not_at_all(house: House) -> None:
    async with house.node() as node:
        gateway = node.pool_ids[0]

        def fail(transaction: Transaction) -> None:
            commands.add(transaction, gateway, "start", "anna", {}, now=0)
            node.dispatch._enqueue(transaction, [gateway, gateway], 0)  # type: ignore[attr-defined]
            jobs = rows(transaction, "SELECT lock, queueing_lock, args FROM procrastinate_jobs")
            assert jobs == [(lease_name(gateway), lease_name(gateway), {"gateway": gateway})]
            raise RuntimeError

        with suppress(RuntimeError):
            await node.database.write(fail)
        counts = "SELECT (SELECT count(*) FROM commands), (SELECT count(*) FROM poolkeeper_queue.procrastinate_jobs)"
        assert await node.database.read(rows, counts) == [(0, 0)]


async def test_a_caller_waits_five_seconds_and_gets_the_number_of_its_command(house: House) -> None:
    clock = FakeClock()
    house.clock, house.terms = clock, replace(TERMS, answer=5.0)
    async with house.node() as node:
        gateway = node.pool_ids[0]
        asking = asyncio.create_task(node.dispatch.ask(gateway, START))
        await clock.sleeping()
        await clock.advance(4.9)
        assert not asking.done()
        await clock.advance(0.1)
        with pytest.raises(CommandPending) as pending:
            await asking
    house.clock = SystemClock()
    async with house.node("second") as late, serving(late.dispatch, late.visit):

        async def answered() -> bool:
            with suppress(CommandPending):
                return isinstance(await late.dispatch.answer(gateway, pending.value.command_id), RunRecord)
            return False

        # It is not stale by the clock that stored it; a week later nobody would carry it out.
        await late.database.write(_renew)
        await late.dispatch.wake(gateway)
        await until(answered)


def _renew(transaction: Transaction) -> None:
    transaction.execute(text("UPDATE commands SET at = (extract(epoch FROM now()) * 1000)::bigint"))


async def test_a_stale_command_is_not_carried_out(house: House) -> None:
    async with house.node() as node:
        gateway = node.pool_ids[0]
        number = await node.database.write(commands.add, gateway, "start", "anna", {"settings": {}}, now=1)
        async with serving(node.dispatch, node.visit):
            await until(lambda: gateway in node.inspectors)
            with pytest.raises(CommandInterrupted):
                await node.dispatch.answer(gateway, number)
        assert not node.gateways[0].calls


async def test_the_job_of_a_dead_worker_is_closed_though_another_waits(house: House) -> None:
    async with house.node() as node:
        gateway = node.pool_ids[0]
        await node.dispatch.wake(gateway)

        def die(transaction: Transaction) -> None:
            """Leave a job in progress, and a lease whose term ends soon, as a killed worker does."""
            queue_schema.include(transaction)
            long_ago = "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 h') RETURNING id"
            worker = transaction.execute(text(long_ago)).scalar_one()
            transaction.execute(
                text("UPDATE procrastinate_jobs SET status = 'doing', worker_id = :worker WHERE lock = :lock"),
                {"worker": worker, "lock": lease_name(gateway)},
            )
            leases.claim(transaction, lease_name(gateway), "dead", "", TERMS.term_ms)

        await node.database.write(die)
        await node.dispatch.wake(gateway)
        visitor = Visitor()
        async with serving(node.dispatch, visitor):
            await until(lambda: gateway in visitor.visited)


async def test_a_command_that_a_dead_owner_has_begun_is_answered_and_not_repeated(house: House) -> None:
    async with house.node() as node:
        gateway = node.pool_ids[0]
        number = await node.database.write(commands.add, gateway, "start", "anna", dict(START.arguments), now=2**52)
        assert await node.database.write(commands.begin, gateway)
        async with serving(node.dispatch, node.visit):
            await until(lambda: gateway in node.inspectors)
            with pytest.raises(CommandInterrupted, match="nothing is repeated"):
                await node.dispatch.answer(gateway, number)
        assert not node.gateways[0].calls
        record = await node.database.read(commands.get, gateway, number)
        assert record is not None
        assert record.state is CommandState.INTERRUPTED


async def test_a_run_is_handed_over_without_an_interruption(house: House) -> None:
    upstream = Upstream(house.gateways[0], 1)
    async with house.node() as first:
        gateway = first.pool_ids[0]
        async with serving(first.dispatch, first.visit):
            run = await started(first, gateway)
            await upstream.reached.wait()
        assert (await state_of(first, gateway, run)).state is RunState.RUNNING
        upstream.allowed = 100
        async with house.node("second") as second, serving(second.dispatch, second.visit):
            await until(lambda: has_ended(second, gateway, run))
            results = await second.inspector_of(gateway).history.results(run)
            assert len(results) == len({result.account_id for result in results}) == 3
            states = await second.database.read(
                rows, "SELECT data->>'state' FROM events WHERE kind = 'run.state' ORDER BY seq"
            )
            assert [state for (state,) in states] == ["queued", "running", "queued", "running", "finished"]


async def test_a_paused_run_stays_paused_under_its_next_owner(house: House) -> None:
    upstream = Upstream(house.gateways[0], 1)
    async with house.node() as first:
        gateway = first.pool_ids[0]
        async with serving(first.dispatch, first.visit):
            run = await started(first, gateway)
            await upstream.reached.wait()
            await first.dispatch.ask(gateway, CommandRequest(CommandKind.PAUSE, "anna", {"run": run}))
    upstream.allowed = 100
    upstream.opened.set()
    async with house.node("second") as second, serving(second.dispatch, second.visit):
        requests_before = len(upstream.urls)
        resume = CommandRequest(CommandKind.RESUME, "anna", {"run": run})
        await until(lambda: gateway in second.inspectors and second.inspector_of(gateway).runs.is_working)
        assert (await state_of(second, gateway, run)).state is RunState.PAUSED
        assert len(upstream.urls) == requests_before
        await second.dispatch.ask(gateway, resume)
        await until(lambda: has_ended(second, gateway, run))


async def test_an_owner_whose_lease_another_has_sends_and_stores_nothing_more(house: House) -> None:
    upstream = Upstream(house.gateways[0], 1)
    async with house.node() as first, house.node("second") as second:
        gateway = first.pool_ids[0]
        async with serving(first.dispatch, first.visit):
            run = await started(first, gateway)
            await upstream.reached.wait()
            calls = len(house.gateways[0].calls)

            def steal(transaction: Transaction) -> int | None:
                transaction.execute(text("UPDATE leases SET expires_at = 0"))
                return leases.claim(transaction, lease_name(gateway), "thief", "", TERMS.term_ms)

            # As a process that was frozen past its term: its lease is another's before it looks again.
            assert await second.database.write(steal)
            upstream.opened.set()
            inspector = first.inspector_of(gateway)
            await until(lambda: not inspector.runs.is_working)
            assert len(await inspector.history.results(run)) == 1
            assert len(house.gateways[0].calls) == calls
            assert (await state_of(first, gateway, run)).state is RunState.RUNNING


async def test_the_run_of_an_outage_of_the_database_goes_on_afterwards(house: House) -> None:
    upstream = Upstream(house.gateways[0], 1)
    async with house.node() as node, serving(node.dispatch, node.visit):
        gateway = node.pool_ids[0]
        run = await started(node, gateway)
        await upstream.reached.wait()
        # Every session is ended, as by a restart of the server.
        with suppress(Exception):
            await node.database.write(
                lambda transaction: transaction.execute(
                    text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()")
                )
            )
        upstream.allowed = 100
        upstream.opened.set()
        await until(lambda: has_ended(node, gateway, run))
        results = await node.inspector_of(gateway).history.results(run)
        assert len(results) == len({result.account_id for result in results}) == 3


async def test_a_worker_gives_back_what_rests_beyond_its_share_and_the_next_takes_it(
    house: House, gateways: list[FakeGateway]
) -> None:
    house.gateways = gateways * 2
    first_visitor, second_visitor = Visitor(), Visitor()
    first_visitor.stays = second_visitor.stays = True

    async def rest(gateway: int, tenure: Tenure) -> None:
        tenure.resting = True
        await first_visitor(gateway, tenure)

    async def have_slots(node: Node, *expected: int) -> bool:
        return [worker.slots for worker in await node.dispatch.workers()] == list(expected)

    async with house.node() as first, serving(first.dispatch, rest):
        await until(lambda: len(first_visitor.visited) == 6)
        await until(lambda: have_slots(first, 7))
        async with house.node("second") as second, serving(second.dispatch, second_visitor):
            await until(lambda: len(first_visitor.handed_over) == 2 == len(second_visitor.visited))
            assert set(second_visitor.visited) == set(first_visitor.handed_over)
            await until(lambda: have_slots(first, 4, 4))


async def test_a_run_without_an_owner_is_taken_up_although_its_gateway_is_not_woken(house: House) -> None:
    upstream = Upstream(house.gateways[0], 1)
    async with house.node() as first, house.node("second") as second, serving(second.dispatch, second.visit):
        gateway = first.pool_ids[0]
        await until(lambda: gateway in second.inspectors)
        tenure = Tenure(first.database, first.clock, gateway, TERMS)
        await until(tenure.claim)
        async with first.opened(gateway, tenure) as engine:
            run = await engine.inspector.runs.start(parse_settings(START.arguments["settings"]), "anna")
            await upstream.reached.wait()
        upstream.allowed = 100
        await tenure.release()
        await until(lambda: has_ended(second, gateway, run.id))


async def test_a_queue_of_another_version_is_made_anew(house: House) -> None:
    async with house.node() as node:
        await node.dispatch.wake(node.pool_ids[0])
        await node.database.write(
            lambda transaction: transaction.execute(text("COMMENT ON SCHEMA poolkeeper_queue IS 'procrastinate 1.0'"))
        )
        await node.dispatch.open()  # type: ignore[attr-defined]
        assert await node.database.read(rows, "SELECT count(*) FROM poolkeeper_queue.procrastinate_jobs") == [(0,)]
        await node.dispatch.wake(node.pool_ids[0])
