"""A change that was made, and whose result the database refuses: it is never called not done."""

import asyncio
from pathlib import Path

import pytest

from extension.store.batch_records import BatchState
from extension.store.errors import DatabaseFull, OutcomesNotStored
from extension.store.records import ActionOutcome
from tests.extension.engine.actions.test_outage_of_the_database import FillingGateway, batches_of, settled
from tests.extension.engine.scenario import compat_config, numbers, opened


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
            inspector._database.health.change(full)
            raise full

        log.settle = refuse  # type: ignore[method-assign,assignment]
        if background:
            await inspector.commands.carry_out([alpha], "disable", "anna", background=True)
            await inspector._actions.settled()
        else:
            with pytest.raises(OutcomesNotStored, match=r"were sent.*recorded when the database answers again"):
                await inspector.set_disabled([alpha], True, "anna")
        assert refused.is_set()
        (batch,) = await batches_of(inspector)
        assert (batch.state, gateway.sent) == (BatchState.RUNNING, 1)
        with pytest.raises(DatabaseFull):
            await inspector.set_disabled([alpha], False, "anna")
        log.settle = settle  # type: ignore[method-assign]
        await inspector._database.prove()
        await settled(inspector)
        (batch,) = await batches_of(inspector)
        assert (batch.state, batch.done, batch.total, gateway.sent) == (BatchState.DONE, 1, 1, 1)
        assert [action.outcome for action in await inspector.actions()] == [ActionOutcome.APPLIED]
