"""The cost of a large batch in writes and readings, which does not grow with its accounts but with its parts."""

from pathlib import Path

from extension.engine.actions.executor import PART
from extension.inspection.accounts.account import Selection, Source
from tests.extension.engine.scenario import WatchedGateway, fleet, opened

CHANGES = 2 * PART + 1


async def test_a_part_of_a_batch_costs_one_write_and_one_reading(tmp_path: Path) -> None:
    gateway = WatchedGateway(fleet({"a": CHANGES}))
    async with opened(tmp_path, gateway) as inspector:
        chosen = [account.id for account in (await inspector.listing.view(Selection(Source.API_KEY))).accounts]
        before = gateway.readings
        done = await inspector.commands.carry_out(chosen, "disable", "anna")
        assert done.batch is not None
        assert done.batch.outcomes == {"applied": CHANGES}
        assert gateway.writes == {"claude-api-key": 3}
        assert gateway.readings - before == 4
        await inspector.undo.of_batch(done.batch.id, "anna")
        assert gateway.writes == {"claude-api-key": 6}
