from pathlib import Path

from adapter.fake import FakeGateway, reply
from extension.engine.actions.follow_up import RunScope
from extension.engine.actions.requests import Hold
from extension.inspection.settings import AutoActionMode
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import apply, compat_config, fleet, inspected, opened, settings
from tests.extension.engine.test_storms import HEALTHY


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
        kept = await inspector.history.held(run.id)
        assert [each.code for each in kept] == ["automation_paused"] * 2
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
        (kept,) = await inspector.history.held(run.id)
        (entry,) = (await inspector.follow_up.plans(run.id))[1].held
        assert entry.hold == Hold(kept.host, "automation_paused")
        assert await apply(inspector, run.id, AutoActionMode.DISABLE, "anna") == ()
        elsewhere = await inspector.follow_up.release_batch(run.id, "anna", RunScope(hosts=["calm.example"]))
        assert elsewhere.batch is None
        done = await inspector.follow_up.release_batch(run.id, "anna", RunScope(hosts=["refusing.example"]))
        assert [action.outcome for action in done.actions] == [ActionOutcome.APPLIED]
        assert (await inspector.runs.get(run.id)).still_on_hold == 0
