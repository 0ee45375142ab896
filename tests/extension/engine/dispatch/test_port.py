"""The port of dispatch, which both implementations keep."""

import pytest
from sqlalchemy import select

from extension.engine.actions.executor import Command
from extension.engine.actions.ownership import DISABLE
from extension.engine.client_keys.errors import LastClientKey
from extension.engine.dispatch.commands import CommandKind, CommandRequest
from extension.engine.dispatch.port import CommandUnknown
from extension.engine.errors import DeleteRefused, RunActive, RunUnknown
from extension.store.client_keys import KeyActionRecord
from extension.store.records import RunRecord
from extension.store.run_state import RunState
from extension.store.schema.command_tables import COMMANDS
from tests.extension.engine.dispatch.house import House, Node, Visitor, serving, until

START = CommandRequest(CommandKind.START, "anna", {"settings": {"accountSource": "api_key"}})


def of_run(kind: CommandKind, run: int) -> CommandRequest:
    return CommandRequest(kind, "anna", {"run": run})


async def ended(node: Node, gateway: int, run: int) -> RunRecord:
    async def is_over() -> bool:
        return (await node.inspector_of(gateway).history.get(run)).state is RunState.FINISHED

    await until(is_over)
    return await node.inspector_of(gateway).history.get(run)


async def test_every_gateway_is_visited_and_a_woken_one_soon_again(either: House) -> None:
    visitor = Visitor()
    async with either.node() as node, serving(node.dispatch, visitor):
        await until(lambda: set(visitor.visited) == set(node.pool_ids))
        before = visitor.visited.count(node.pool_ids[1])
        await until(lambda: _wakes(node))
        await node.dispatch.wake(node.pool_ids[1])
        await until(lambda: visitor.visited.count(node.pool_ids[1]) > before)


async def _wakes(node: Node) -> bool:
    """Return whether nothing is visited."""
    return not (await node.dispatch.workers())[0].visits


async def test_a_gateway_that_is_woken_during_its_visit_is_not_visited_twice_at_a_time(either: House) -> None:
    visitor = Visitor()
    visitor.stays = True
    async with either.node() as node, serving(node.dispatch, visitor):
        await until(lambda: len(visitor.visited) == len(node.pool_ids))
        for _ in range(3):
            await node.dispatch.wake(node.pool_ids[0])
        assert sorted(visitor.visited) == list(node.pool_ids)


async def test_the_end_of_the_service_hands_every_visit_over(either: House) -> None:
    visitor = Visitor()
    visitor.stays = True
    async with either.node() as node:
        async with serving(node.dispatch, visitor):
            await until(lambda: len(visitor.visited) == len(node.pool_ids))
        assert sorted(visitor.handed_over) == list(node.pool_ids)


async def test_the_workers_say_what_they_work_on(either: House) -> None:
    visitor = Visitor()
    visitor.stays = True
    async with either.node() as node, serving(node.dispatch, visitor):

        async def all_visited() -> bool:
            workers = await node.dispatch.workers()
            return bool(workers) and set(workers[0].visits) == set(node.pool_ids)

        await until(all_visited)
        (worker,) = await node.dispatch.workers()
        assert worker.capacity > 0
        assert not worker.is_full


async def test_a_command_returns_what_the_engine_made(either: House) -> None:
    async with either.node() as node, serving(node.dispatch, node.visit):
        gateway = node.pool_ids[1]
        run = await node.dispatch.ask(gateway, START)
        assert isinstance(run, RunRecord)
        assert run.started_by == "anna"
        assert (await ended(node, gateway, run.id)).done == 3
        assert node.gateways[1].calls
        assert not node.gateways[0].calls
        stopped = await node.dispatch.ask(gateway, of_run(CommandKind.STOP, run.id))
        assert isinstance(stopped, RunRecord)
        assert stopped.state is RunState.FINISHED


async def test_a_command_on_accounts_returns_its_batch_with_its_actions_and_can_be_undone(either: House) -> None:
    async with either.node() as node, serving(node.dispatch, node.visit):
        gateway = node.pool_ids[0]
        run = await node.dispatch.ask(gateway, START)
        assert isinstance(run, RunRecord)
        await ended(node, gateway, run.id)
        reading = await node.inspector_of(gateway).listing.read()
        order = {"accounts": sorted(reading.accounts)[:2], "action": DISABLE, "reason": "a test"}
        switched = await node.dispatch.ask(gateway, CommandRequest(CommandKind.SWITCH, "ben", order))
        assert isinstance(switched, Command)
        assert switched.batch is not None
        assert [action.outcome.value for action in switched.actions] == ["applied", "applied"]
        undo = CommandRequest(CommandKind.UNDO_BATCH, "ben", {"batch": switched.batch.id})
        undone = await node.dispatch.ask(gateway, undo)
        assert isinstance(undone, Command)
        assert {action.undoes for action in undone.actions} == {action.id for action in switched.actions}


async def test_a_client_key_is_created_by_the_owner_and_stands_in_no_command(either: House) -> None:
    async with either.node() as node, serving(node.dispatch, node.visit):
        gateway = node.pool_ids[0]
        asking = node.inspector(gateway)  # of a process that only reads
        await asking.open_on_standby()
        assert asking.client_keys is not None
        new = await asking.client_keys.prepare()
        order = {"document": new.document, "reason": "a test"}
        action = await node.dispatch.ask(gateway, CommandRequest(CommandKind.CREATE_KEY, "anna", order))
        assert isinstance(action, KeyActionRecord)
        assert (action.outcome.value, action.actor, action.fingerprint) == ("applied", "anna", new.fingerprint)
        assert node.gateways[0].state.document["api-keys"] == [new.key.reveal()]
        rows = await node.database.read(lambda transaction: transaction.execute(select(COMMANDS)).all())
        assert new.key.reveal() not in str(rows)
        undo = CommandRequest(CommandKind.UNDO_KEY, "anna", {"action": action.id})
        with pytest.raises(LastClientKey):
            await node.dispatch.ask(gateway, undo)


async def test_a_refusal_comes_with_its_kind_text_and_hint(either: House) -> None:
    async with either.node() as node, serving(node.dispatch, node.visit):
        gateway = node.pool_ids[0]
        with pytest.raises(RunUnknown, match="There is no run 99") as unknown:
            await node.dispatch.ask(gateway, of_run(CommandKind.STOP, 99))
        assert (unknown.value.code, unknown.value.hint) == ("run_unknown", "Take a number from the list of runs.")
        run = await node.dispatch.ask(gateway, START)
        assert isinstance(run, RunRecord)
        await ended(node, gateway, run.id)
        keys = sorted((await node.inspector_of(gateway).listing.read()).accounts)
        order = {"accounts": keys[:1], "action": "delete", "reason": ""}
        with pytest.raises(DeleteRefused, match="API keys are never deleted"):
            await node.dispatch.ask(gateway, CommandRequest(CommandKind.SWITCH, "anna", order))


async def test_a_second_start_is_refused_as_the_engine_refuses_it(either: House) -> None:
    async with either.node() as node, serving(node.dispatch, node.visit):
        gateway = node.pool_ids[2]
        run = await node.dispatch.ask(gateway, START)
        assert isinstance(run, RunRecord)
        await node.dispatch.ask(gateway, of_run(CommandKind.STOP, run.id))
        with pytest.raises((RunActive, RunUnknown)):
            await node.dispatch.ask(gateway, of_run(CommandKind.RESUME, run.id + 1))


async def test_a_number_of_no_command_has_no_answer(either: House) -> None:
    async with either.node() as node:
        with pytest.raises(CommandUnknown):
            await node.dispatch.answer(node.pool_ids[0], 12345)
