"""Limits of one run: such a hold has a host and a code, stays until it is released, and binds automation alone."""

from pathlib import Path

from adapter.fake import FakeGateway, reply
from extension.engine.actions.change_plan import Group
from extension.engine.actions.follow_up import RunScope
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import AutoActionMode
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import apply, fleet, inspected, newest_actions, opened, settings
from tests.extension.engine.test_storms import HEALTHY

LIMITED = {"disableMinimum": 2, "disableLimit": 0.1}


def a_pool() -> FakeGateway:
    gateway = FakeGateway(fleet({"mixed": 20}))
    refused = (MARK, "-0000-", "-0001-", "-0002-")
    gateway.upstream = lambda request: (
        reply(401) if any(part in request.header["x-api-key"] for part in refused) else HEALTHY
    )
    return gateway


async def test_a_disable_beyond_the_limit_is_on_hold_in_every_plan_until_it_is_released(tmp_path: Path) -> None:
    gateway = a_pool()
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(autoActionMode="disable", **LIMITED))
        (kept,) = await inspector.history.held(run.id)
        assert (kept.host, kept.code, kept.params) == ("mixed.example", "disable_limit", {"limit": 2})
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.APPLIED] * 2
        plan = await inspector.commands.preview([kept.account_id], "disable")
        assert [entry.hold and entry.hold.code for entry in plan.of(Group.ON_HOLD)] == ["disable_limit"]
        assert await apply(inspector, run.id, AutoActionMode.DISABLE, "anna") == ()
        done = await inspector.follow_up.release_batch(run.id, "anna", RunScope(hosts=["mixed.example"]))
        assert [action.outcome for action in done.actions] == [ActionOutcome.APPLIED]


async def test_a_run_that_only_reports_puts_nothing_on_hold_for_a_limit(tmp_path: Path) -> None:
    async with opened(tmp_path, a_pool()) as inspector:
        run = await inspected(inspector, settings(**LIMITED))
        assert run.recommendations["disable"] == 3
        assert await inspector.history.held(run.id) == ()
        made = await apply(inspector, run.id, AutoActionMode.DISABLE, "anna")
        assert [action.outcome for action in made] == [ActionOutcome.APPLIED] * 3
