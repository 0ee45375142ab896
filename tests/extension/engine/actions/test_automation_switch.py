from pathlib import Path

from adapter.fake import FakeGateway, reply
from tests.extension.engine.scenario import compat_config, ended, opened, settings


async def test_while_automation_is_paused_a_run_puts_its_actions_on_hold_also_after_a_restart(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    gateway.upstream = lambda _: reply(401)
    chosen = settings(autoActionMode="disable")
    async with opened(tmp_path, gateway) as inspector:
        paused = await inspector.automation.pause("anna")
        assert (await inspector.automation.pause("ben")) == paused
    async with opened(tmp_path, gateway) as inspector:
        assert await inspector.automation.status() == paused
        run = await ended(inspector, (await inspector.start(chosen, "anna")).id)
        kept = await inspector.history.held(run.id)
        assert [each.code for each in kept] == ["automation_paused"] * 2
        assert not gateway.writes
        await inspector.automation.resume()
        assert await inspector.automation.status() is None
        await ended(inspector, (await inspector.start(chosen, "anna")).id)
        assert gateway.writes
