"""A database that goes away in the middle of a batch: what was left is settled by the process that lives on."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from adapter.fake import FakeGateway, reply
from adapter.port import Change, Outcome, errors
from extension.engine.inspector import Inspector
from extension.store.database.database import Database
from extension.store.errors import DatabaseFull, DatabaseTrouble, LeaseExpired, OutcomesNotStored, StoreError
from extension.store.records import ActionOutcome, BatchRecord, BatchState
from tests.extension.engine.scenario import (
    compat_config,
    ended,
    honest,
    newest_actions,
    numbers,
    opened,
    set_disabled,
    settings,
)

NAMES = ["alpha", "beta", "gamma"]


class Disk:
    """Place of a database that can be full."""

    def __init__(self, database: Database) -> None:
        self.full = False
        self._database = database
        for engine in (database._writing, database._reading):
            event.listen(engine, "begin", self._begin)

    async def make_room(self) -> None:
        self.full = False
        await self._database.prove()

    def _begin(self, _: object) -> None:
        if self.full:
            raise OperationalError("BEGIN", {}, sqlite3.OperationalError("database or disk is full"))


class FillingGateway(FakeGateway):
    """A gateway during whose write the disk fills up."""

    disk: Disk | None = None
    written = True
    sent = 0

    async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        self.sent += 1
        if self.disk is not None:
            self.disk.full = True
        if not self.written:
            raise errors.TimedOut("Slow.", applied="maybe")
        return await super().set_disabled(changes)


@pytest.fixture
def gateway() -> FillingGateway:
    return FillingGateway(compat_config(NAMES))


def disk_of(inspector: Inspector) -> Disk:
    return Disk(inspector.history._database)


async def settled(inspector: Inspector) -> None:
    """Wait for the end of what settles in the background."""
    work = inspector._actions._unsettled._work
    assert work is not None
    await asyncio.shield(work)


async def batches_of(inspector: Inspector) -> tuple[BatchRecord, ...]:
    return await inspector.action_history.batches(before=None, limit=10)


@pytest.mark.parametrize("background", [True, False])
@pytest.mark.parametrize("written", [True, False])
async def test_a_batch_is_settled_when_the_database_answers_again(
    tmp_path: Path, gateway: FillingGateway, written: bool, background: bool
) -> None:
    gateway.written = written
    async with opened(tmp_path, gateway) as inspector:
        accounts = list((await numbers(inspector)).values())
        disk = gateway.disk = disk_of(inspector)
        try:
            await inspector.commands.carry_out(accounts, "disable", "anna", background=background)
            await inspector._actions.settled()
        except StoreError:
            assert not background
        await disk.make_room()
        await settled(inspector)
        (batch,) = await batches_of(inspector)
        actions = await newest_actions(inspector)
    assert gateway.sent == 1
    assert (batch.state, batch.done, batch.total) == (BatchState.DONE, 3, 3)
    assert {action.outcome for action in actions} == {ActionOutcome.APPLIED if written else ActionOutcome.FAILED}
    for action in actions:
        assert "database" in action.text.text
        assert "service" not in action.text.text


async def test_a_regular_end_settles_what_was_left(inspector: Inspector, gateway: FillingGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    disk = gateway.disk = disk_of(inspector)
    with pytest.raises(StoreError):
        await set_disabled(inspector, [alpha], True, "anna")
    await disk.make_room()
    await inspector.close()
    (action,) = await newest_actions(inspector)
    assert action.outcome is ActionOutcome.APPLIED
    assert (await batches_of(inspector))[0].state is BatchState.DONE


async def test_an_action_that_cannot_be_recorded_is_not_sent(inspector: Inspector, gateway: FillingGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    disk = disk_of(inspector)
    disk.full = True
    with pytest.raises(StoreError):
        await set_disabled(inspector, [alpha], True, "anna")
    await disk.make_room()
    await settled(inspector)
    assert await newest_actions(inspector) == ()
    assert gateway.sent == 0


async def test_a_batch_that_was_only_begun_has_failed_with_the_reason(
    inspector: Inspector, gateway: FillingGateway
) -> None:
    alpha = (await numbers(inspector))["alpha"]
    disk, log = disk_of(inspector), inspector._actions._log
    plan = log.plan

    async def full(*arguments: object) -> None:
        disk.full = True
        await plan(*arguments)  # type: ignore[arg-type]

    log.plan = full  # type: ignore[method-assign,assignment]
    with pytest.raises(StoreError):
        await set_disabled(inspector, [alpha], True, "anna")
    await disk.make_room()
    await settled(inspector)
    (batch,) = await batches_of(inspector)
    assert (batch.state, batch.done) == (BatchState.FAILED, 0)
    assert "disk is full" in batch.reason.text
    assert gateway.sent == 0


async def test_an_outage_while_settling_is_waited_for_again(inspector: Inspector, gateway: FillingGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    disk = gateway.disk = disk_of(inspector)
    with pytest.raises(StoreError):
        await set_disabled(inspector, [alpha], True, "anna")
    read, tries = gateway.accounts, 0

    async def filling() -> object:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise errors.Unavailable("Away, too.")
        disk.full = tries == 2
        return await read()

    health, refused = inspector.history._database.health, asyncio.Event()

    def changed() -> None:
        if health.fault is not None and tries > 1:
            refused.set()

    gateway.accounts = filling  # type: ignore[method-assign,assignment]
    # Before there is room: the work may be refused again before the next line of this test.
    health.on_change(changed)
    await disk.make_room()
    await refused.wait()
    await disk.make_room()
    await settled(inspector)
    (action,) = await newest_actions(inspector)
    assert (action.outcome, gateway.sent) == (ActionOutcome.APPLIED, 1)


async def test_a_process_that_no_longer_leads_leaves_it_to_the_one_that_does(
    tmp_path: Path, gateway: FillingGateway
) -> None:
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        disk = gateway.disk = disk_of(inspector)
        with pytest.raises(StoreError):
            await set_disabled(inspector, [alpha], True, "anna")

        def lost(_: object) -> None:
            raise LeaseExpired("Another process leads.")

        log = inspector._actions._log
        log._database = log._database.fenced(lost)
        await disk.make_room()
        await settled(inspector)
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.PENDING]
    async with opened(tmp_path, gateway) as inspector:
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.APPLIED]


async def test_the_automatic_actions_of_a_run_are_settled_and_not_repeated_when_it_is_resumed(
    inspector: Inspector, gateway: FillingGateway
) -> None:
    gateway.upstream = honest(lambda _: reply(401))
    disk = gateway.disk = disk_of(inspector)
    run = await inspector.runs.start(settings(autoActionMode="disable", brake=False), "anna")
    execution = inspector.runs._execution
    assert execution is not None
    await execution.wait()
    gateway.disk = None
    await disk.make_room()
    await settled(inspector)
    made = await newest_actions(inspector)
    assert {action.outcome for action in made} == {ActionOutcome.APPLIED}
    await inspector.runs.resume(run.id)
    await ended(inspector, run.id)
    again = await newest_actions(inspector)
    assert len(again) == len({action.account_id for action in again}) == len(NAMES)
    (batch,) = await batches_of(inspector)
    assert (batch.state, batch.done) == (BatchState.DONE, len(NAMES))


async def test_an_undo_is_settled_too(inspector: Inspector, gateway: FillingGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    (done,) = await set_disabled(inspector, [alpha], True, "anna")
    disk = gateway.disk = disk_of(inspector)
    with pytest.raises(StoreError):
        await inspector.undo.of_actions([done.id], "anna")
    await disk.make_room()
    await settled(inspector)
    undo, _ = await newest_actions(inspector)
    assert (undo.outcome, undo.undoes) == (ActionOutcome.APPLIED, done.id)


@pytest.mark.parametrize("background", [True, False])
async def test_a_change_whose_result_alone_is_refused_is_never_called_not_done(
    tmp_path: Path, background: bool
) -> None:
    """A full disk may have room for a small write, such as the end of the batch, right after it refused another."""
    gateway = FillingGateway(compat_config(["alpha"]))
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        log, full = inspector._actions._log, DatabaseFull("No space left on device.")
        settle, refused = log.settle, asyncio.Event()

        async def refuse(*_: object) -> object:
            refused.set()
            inspector.history._database.health.change(full)
            raise full

        log.settle = refuse  # type: ignore[method-assign,assignment]
        if background:
            await inspector.commands.carry_out([alpha], "disable", "anna", background=True)
            await inspector._actions.settled()
        else:
            with pytest.raises(OutcomesNotStored, match=r"were sent.*recorded when the database answers again"):
                await set_disabled(inspector, [alpha], True, "anna")
        assert refused.is_set()
        (batch,) = await batches_of(inspector)
        assert (batch.state, gateway.sent) == (BatchState.RUNNING, 1)
        with pytest.raises(DatabaseFull):
            await set_disabled(inspector, [alpha], False, "anna")
        log.settle = settle  # type: ignore[method-assign]
        await inspector.history._database.prove()
        await settled(inspector)
        (batch,) = await batches_of(inspector)
        assert (batch.state, batch.done, batch.total, gateway.sent) == (BatchState.DONE, 1, 1, 1)
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.APPLIED]


@pytest.mark.parametrize("step", ["read_back", "settle", "end"])
async def test_a_refusal_at_any_step_after_the_write_says_that_changes_were_sent(tmp_path: Path, step: str) -> None:
    """A database server that goes away is noticed by the first step that needs it, most often the reading after."""
    gateway = FillingGateway(compat_config(["alpha", "beta"]))
    async with opened(tmp_path, gateway) as inspector:
        accounts = list((await numbers(inspector)).values())
        away = DatabaseTrouble("The database refused: nothing listens there.")

        async def refuse(*_: object) -> object:
            raise away

        owner, name = {
            "read_back": (inspector._actions._writer, "_read_back"),
            "settle": (inspector._actions._log, "settle"),
            "end": (inspector._actions._log, "end"),
        }[step]
        before = getattr(owner, name)
        setattr(owner, name, refuse)
        with pytest.raises(OutcomesNotStored, match=r"^The changes were sent.*nothing listens there"):
            await set_disabled(inspector, accounts, True, "anna")
        setattr(owner, name, before)
        await settled(inspector)
        (batch,) = await batches_of(inspector)
        assert (batch.state, batch.done, batch.total, gateway.sent) == (BatchState.DONE, 2, 2, 1)


@pytest.mark.parametrize("away", [DatabaseTrouble("Nothing listens there."), LeaseExpired("Nothing was changed.")])
async def test_a_refusal_between_two_parts_says_how_many_changes_were_sent(tmp_path: Path, away: StoreError) -> None:
    gateway = FillingGateway(compat_config(["alpha", "beta"]))
    async with opened(tmp_path, gateway) as inspector:
        accounts = list((await numbers(inspector)).values())
        log = inspector._actions._log
        intend, parts = log.intend, 0

        async def refuse_second(*arguments: object) -> object:
            nonlocal parts
            parts += 1
            if parts > 1:
                raise away
            return await intend(*arguments)  # type: ignore[arg-type]

        log.intend = refuse_second  # type: ignore[method-assign,assignment]
        with (
            patch("extension.engine.actions.executor.divided", lambda changes, **_: [[change] for change in changes]),
            pytest.raises(LeaseExpired if isinstance(away, LeaseExpired) else OutcomesNotStored) as raised,
        ):
            await set_disabled(inspector, accounts, True, "anna")
        assert str(raised.value).startswith("1 of 2 changes were sent")
        assert "othing was changed" not in str(raised.value)
        assert gateway.sent == 1


async def test_a_refusal_before_the_first_write_does_not_speak_of_sent_changes(tmp_path: Path) -> None:
    gateway = FillingGateway(compat_config(["alpha"]))
    async with opened(tmp_path, gateway) as inspector:
        accounts = list((await numbers(inspector)).values())

        async def refuse(*_: object) -> object:
            raise DatabaseTrouble("Nothing listens there.")

        inspector._actions._log.intend = refuse  # type: ignore[method-assign,assignment]
        with pytest.raises(DatabaseTrouble, match=r"^Nothing listens there"):
            await set_disabled(inspector, accounts, True, "anna")
        assert gateway.sent == 0
