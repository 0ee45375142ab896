"""What puts changes on hold: a pause of automation, which outlasts the service, and the limits of one run."""

from pathlib import Path

from adapter.fake import FakeGateway, reply
from extension.engine.actions.change_plan import Group
from extension.engine.actions.follow_up import RunScope
from extension.engine.actions.requests import Hold
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import AutoActionMode
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import (
    HEALTHY,
    apply,
    compat_config,
    fleet,
    inspected,
    newest_actions,
    opened,
    settings,
)


async def test_while_automation_is_paused_a_run_puts_its_actions_on_hold_also_after_a_restart(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    gateway.upstream = lambda _: reply(401)
    chosen = settings(autoActionMode="disable")
    async with opened(tmp_path, gateway) as inspector:
        paused = await inspector.automation.pause("anna")
        assert (await inspector.automation.pause("ben")) == paused
    async with opened(tmp_path, gateway) as inspector:
        assert await inspector.automation.status() == paused
        run = await inspected(inspector, chosen)
        holds = await inspector.history.held(run.id)
        assert [hold.code for hold in holds] == ["automation_paused"] * 2
        assert not gateway.writes
        await inspector.automation.resume()
        assert await inspector.automation.status() is None
        await inspected(inspector, chosen)
        assert gateway.writes


async def test_a_pause_keeps_its_hold_in_every_plan_until_a_person_releases_it(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"calm": 4, "refusing": 1}))
    gateway.upstream = lambda request: reply(401) if "refusing" in request.url else HEALTHY
    async with opened(tmp_path, gateway) as inspector:
        await inspector.automation.pause("anna")
        run = await inspected(inspector, settings(autoActionMode="disable"))
        await inspector.automation.resume()
        (hold,) = await inspector.history.held(run.id)
        (entry,) = (await inspector.follow_up.plans(run.id))[1].held
        assert entry.hold == Hold(hold.host, "automation_paused")
        assert await apply(inspector, run.id, AutoActionMode.DISABLE, "anna") == ()
        elsewhere = await inspector.follow_up.release_batch(run.id, "anna", RunScope(hosts=["calm.example"]))
        assert elsewhere.batch is None
        done = await inspector.follow_up.release_batch(run.id, "anna", RunScope(hosts=["refusing.example"]))
        assert [action.outcome for action in done.actions] == [ActionOutcome.APPLIED]
        assert (await inspector.runs.get(run.id)).still_on_hold == 0


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
        (hold,) = await inspector.history.held(run.id)
        assert (hold.host, hold.code, hold.params) == ("mixed.example", "disable_limit", {"limit": 2})
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.APPLIED] * 2
        plan = await inspector.commands.preview([hold.account_id], "disable")
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
