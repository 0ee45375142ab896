"""A change that was made, and whose result the database refuses: it is never called not done."""

import asyncio
from pathlib import Path
from unittest.mock import patch

import pytest

from extension.store.errors import DatabaseFull, DatabaseTrouble, LeaseExpired, OutcomesNotStored, StoreError
from extension.store.records import ActionOutcome, BatchState
from tests.extension.engine.actions.test_outage_of_the_database import FillingGateway, batches_of, settled
from tests.extension.engine.scenario import compat_config, newest_actions, numbers, opened, set_disabled


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

        async def refuse_second(*given: object) -> object:
            nonlocal parts
            parts += 1
            if parts > 1:
                raise away
            return await intend(*given)  # type: ignore[arg-type]

        log.intend = refuse_second  # type: ignore[method-assign,assignment]
        with (
            patch("extension.engine.actions.executor.divided", lambda wanted, **_: [[each] for each in wanted]),
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
