from collections.abc import Sequence
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, reply
from adapter.port import Capability, Change, Outcome, Refused, errors
from extension.engine.actions import executor
from extension.engine.errors import BatchUnknown
from extension.engine.inspector import Inspector
from extension.engine.notifications.run_watcher import RunReader
from extension.inspection.accounts.account import Selection, Source
from extension.reasons.codes import ReasonCode
from extension.store.records import ActionOutcome, BatchState, Cause, EventKind
from extension.store.run_state import RunState
from tests.extension.engine.actions.test_automation import automatic
from tests.extension.engine.scenario import (
    WatchedGateway,
    all_events,
    compat_config,
    died,
    ended,
    fleet,
    inspected,
    newest_actions,
    opened,
)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "PART", 4)


async def everyone(inspector: Inspector) -> list[int]:
    return [account.id for account in (await inspector.listing.view(Selection(Source.API_KEY))).accounts]


def gated(accounts: int) -> WatchedGateway:
    """Return a gateway that waits in its first batch of changes until it is let go on."""
    gateway = WatchedGateway(fleet({"a": accounts}))
    gateway.before = gateway.wait_at_the_gate
    return gateway


async def test_a_batch_tells_its_progress_part_by_part(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(fleet({"a": 10}))) as inspector:
        done = await inspector.commands.carry_out(await everyone(inspector), "disable", "anna")
        assert done.batch is not None
        progress = [event.data for event in await all_events(inspector) if event.kind is EventKind.BATCH]
        assert [data["done"] for data in progress] == [0, 0, 4, 8, 10, 10]
        assert {data["total"] for data in progress[1:]} == {10}
        assert (done.batch.state, done.batch.outcomes) == (BatchState.DONE, {"applied": 10})
        assert {action.batch_id for action in done.actions} == {done.batch.id}


async def test_a_canceled_batch_stops_between_two_parts_and_is_undone_as_a_whole(tmp_path: Path) -> None:
    gateway = gated(10)
    async with opened(tmp_path, gateway) as inspector:
        begun = await inspector.commands.carry_out(await everyone(inspector), "disable", "anna", background=True)
        assert begun.batch is not None
        await gateway.reached.wait()
        await inspector.commands.cancel(begun.batch.id)
        gateway.gate.set()
        # The next command has its turn when the batch has ended.
        undone = await inspector.undo.of_batch(begun.batch.id, "ben")
        while not undone.actions:
            undone = await inspector.undo.of_batch(begun.batch.id, "ben")
        batch = await inspector.action_history.batch(begun.batch.id)
        assert (batch.state, batch.done, batch.total) == (BatchState.CANCELED, 4, 10)
        assert [action.outcome for action in undone.actions] == [ActionOutcome.APPLIED] * 4
        assert (await inspector.listing.view(Selection(Source.API_KEY))).statistics.disabled == 0
        with pytest.raises(BatchUnknown):
            await inspector.undo.of_batch(99, "ben")


def without_locks(text: str, files: dict[str, dict[str, str]]) -> WatchedGateway:
    """Return a gateway without locks."""
    gateway = WatchedGateway(text, files)
    gateway.capabilities = gateway.capabilities - {Capability.ATOMIC_WRITES}
    return gateway


FILES = {f"codex-{number:02}.json": {"type": "codex", "access_token": f"token-{number:02}"} for number in range(5)}
PROVIDERS = compat_config(["alpha", "beta", "gamma"])


async def every_account(inspector: Inspector) -> list[int]:
    sources = [(await inspector.listing.view(Selection(source))).accounts for source in (Source.API_KEY, Source.OAUTH)]
    return [account.id for accounts in sources for account in accounts]


async def test_a_gateway_without_locks_is_asked_for_a_few_files_or_one_section_at_once(tmp_path: Path) -> None:
    gateway = without_locks(fleet({"a": 3}) + PROVIDERS, FILES)
    async with opened(tmp_path, gateway) as inspector:
        done = await inspector.commands.carry_out(await every_account(inspector), "disable", "anna")
        progress = [event.data["done"] for event in await all_events(inspector) if event.kind is EventKind.BATCH]

    assert gateway.sizes == [4, 1, 3, 3]
    assert progress == [0, 0, 4, 5, 8, 11, 11]
    assert {action.outcome for action in done.actions} == {ActionOutcome.APPLIED}


async def test_what_a_later_part_has_undone_is_uncertain_and_not_done(tmp_path: Path) -> None:
    gateway = without_locks(fleet({"a": 3}) + PROVIDERS, {})
    async with opened(tmp_path, gateway) as inspector:
        accounts = await every_account(inspector)
        first = gateway.state.text
        gateway.before = lambda: gateway.state.replace_text(first) if len(gateway.sizes) > 1 else None
        done = await inspector.commands.carry_out(accounts, "disable", "anna")

    assert done.batch is not None
    assert (gateway.sizes, done.batch.outcomes) == ([3, 3], {"applied": 3, "uncertain": 3})


async def test_a_batch_in_the_background_reads_the_pool_once_before_it_is_answered(tmp_path: Path) -> None:
    gateway = gated(2)
    async with opened(tmp_path, gateway) as inspector:
        chosen = await everyone(inspector)
        before = gateway.readings
        begun = await inspector.commands.carry_out(chosen, "disable", "anna", background=True)
        assert begun.batch is not None
        assert (begun.batch.state, begun.actions, gateway.readings - before) == (BatchState.WAITING, (), 1)
        gateway.gate.set()
        await inspector._actions.settled()
        gateway.fail("accounts", errors.Unavailable("It is starting."))
        with pytest.raises(errors.Unavailable):
            await inspector.commands.carry_out(chosen, "enable", "anna", background=True)


async def test_a_batch_in_the_background_that_fails_says_why(tmp_path: Path) -> None:
    gateway = gated(2)
    async with opened(tmp_path, gateway) as inspector:
        chosen = await everyone(inspector)
        await inspector.commands.carry_out(chosen, "disable", "anna", background=True)
        await gateway.reached.wait()
        begun = await inspector.commands.carry_out(chosen, "enable", "anna", background=True)
        # One for the reading after the batch that is in progress, one for the batch that waits.
        gateway.fail("accounts", *[errors.Unavailable("It is starting.")] * 2)
        gateway.gate.set()
        await inspector._actions.settled()
        assert begun.batch is not None
        batch = await inspector.action_history.batch(begun.batch.id)
        assert (batch.state, batch.reason.text, batch.done) == (BatchState.FAILED, "It is starting.", 0)


async def test_all_automatic_actions_of_a_run_are_one_batch_that_is_undone_as_a_whole(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"a": 6}))
    gateway.upstream = lambda _: reply(401)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic(brake=False))
        (batch,) = await inspector.action_history.batches(before=None, limit=10)
        assert (batch.run_id, batch.cause, batch.state) == (run.id, Cause.RUN, BatchState.DONE)
        assert (batch.done, batch.total, batch.outcomes) == (6, 6, {"applied": 6})
        undone = await inspector.undo.of_batch(batch.id, "anna")
        assert [action.outcome for action in undone.actions] == [ActionOutcome.APPLIED] * 6


async def test_a_resumed_run_carries_out_the_actions_that_a_crash_prevented(tmp_path: Path) -> None:
    gateway = WatchedGateway(fleet({"a": 6}))
    gateway.before = died
    gateway.upstream = lambda _: reply(401)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic(brake=False))
        assert run.state is RunState.FAILED
    del gateway.before
    async with opened(tmp_path, gateway) as inspector:
        actions = await newest_actions(inspector)
        assert {action.outcome for action in actions} == {ActionOutcome.FAILED}
        assert (await inspector.runs.get(run.id)).not_carried_out == len(actions)
        await inspector.runs.resume(run.id)
        after = await ended(inspector, run.id)
        assert (after.state, after.not_carried_out) == (RunState.FINISHED, 0)
        assert (await inspector.listing.view(Selection(Source.API_KEY))).statistics.disabled == 6
        applied = [action for action in await newest_actions(inspector) if action.outcome is ActionOutcome.APPLIED]
        assert len({action.account_id for action in applied}) == len(applied) == 6
        (batch,) = await inspector.action_history.batches(before=None, limit=10)
        assert (batch.done, batch.total, batch.outcomes) == (6, 6, {"applied": 6})
        reader = RunReader(inspector.history._database, inspector.history, inspector.listing, FakeClock())
        report = await reader.read(run.id)
        assert [action.outcome for action in report.actions] == [ActionOutcome.APPLIED] * 6


async def test_a_run_whose_actions_the_gateway_refuses_counts_them_as_not_carried_out(tmp_path: Path) -> None:
    """A gateway with a broken config.yaml refuses each write; the run itself has no trouble, and finishes."""

    class Broken(FakeGateway):
        async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
            return tuple(Refused("file_unusable", "No.", {"said": "config.yaml, line 9: No"}) for _ in changes)

    gateway = Broken(fleet({"a": 6}))
    gateway.upstream = lambda _: reply(401)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic(brake=False))
        made = await newest_actions(inspector)
        assert {(action.outcome, action.text.codes) for action in made} == {
            (ActionOutcome.REFUSED, (ReasonCode.FILE_UNUSABLE,))
        }
        assert (run.state, run.not_carried_out) == (RunState.FINISHED, 6)
        assert (await inspector.runs.get(run.id)).not_carried_out == 6
