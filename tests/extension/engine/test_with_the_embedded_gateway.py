"""Actions of a run through the real gateway, on the bytes of its configuration."""

from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.inspection.accounts.account import Selection
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import parse_settings
from extension.store.records import ActionOutcome
from tests.extension.engine.embedded import embedded
from tests.extension.engine.scenario import (
    FlyingClock,
    apply,
    compat_config,
    fleet,
    inspected,
    key_of,
    newest_actions,
    opened,
    set_disabled,
    settings,
)

HEAD = "auth-dir: {auths}\n# the fleet\n"
AT_THE_END = settings(autoActionMode="disable", brake=False, realtimeAutoActions={"disable": False})


async def test_500_disables_that_wait_are_one_write_and_one_reload_and_their_undo_restores_every_byte(
    tmp_path: Path,
) -> None:
    text = HEAD + fleet({"refusing": 300}) + compat_config([f"p{number}" for number in range(200)]) + "# its end\n"
    async with embedded(tmp_path, text) as bench:
        before = bench.stored()
        run = await inspected(bench.inspector, AT_THE_END)
        made = await newest_actions(bench.inspector, 1000)
        assert [action.outcome for action in made] == [ActionOutcome.APPLIED] * 500
        assert len({action.account_id for action in made}) == 500
        assert (bench.files.written, bench.runtime.reloads) == (1, 1)
        undone = (await bench.inspector.undo.of_run(run.id, "ben")).actions
        assert [action.outcome for action in undone] == [ActionOutcome.APPLIED] * 500
        assert (bench.files.written, bench.runtime.reloads) == (2, 2)
        assert bench.stored() == before


async def test_a_conflict_in_one_of_many_fails_that_one_only(tmp_path: Path) -> None:
    async with embedded(tmp_path, HEAD + fleet({"refusing": 50})) as bench:
        keep = settings(autoActionMode="none", brake=False)
        run = await inspected(bench.inspector, keep)
        foreign = "sk-ant-refusing-0007-0123456789\n    priority: 3"
        bench.config.write_text(bench.config.read_text().replace(foreign.partition("\n")[0], foreign))
        await bench.runtime.reload()
        bench.runtime.reloads = 0
        made = await apply(bench.inspector, run.id, AT_THE_END.auto_action_mode, "anna")
        assert sorted(action.outcome for action in made) == [ActionOutcome.APPLIED] * 49 + [ActionOutcome.CONFLICT]
        assert (bench.files.written, bench.runtime.reloads) == (1, 1)
        assert bench.config.read_text().count('- "*"') == 49


CHOSEN = {"accountSource": "api_key", "autoActionMode": "disable"}


@pytest.mark.parametrize("checks", [True, False])
async def test_a_compatible_provider_is_disabled_and_recovers_by_automation_alone(tmp_path: Path, checks: bool) -> None:
    clock = FlyingClock()
    gateway = FakeGateway(compat_config(["alpha", "beta"]), clock=clock)
    broken = True

    def upstream(request: UpstreamRequest) -> Answer:
        bad = MARK in str(request.header) or (broken and key_of("alpha") in str(request.header))
        return reply(401, '{"error":{"message":"invalid key"}}') if bad else reply()

    gateway.upstream = upstream
    chosen = parse_settings({**CHOSEN, "evidenceChecks": checks})
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspected(inspector, chosen)
        await clock.advance(600)
        await inspected(inspector, chosen)
        assert gateway.state.document["openai-compatibility"][0]["disabled"] is True
        await inspected(inspector, chosen)
        broken = False
        run = await inspected(inspector, chosen)
        newest = (await newest_actions(inspector))[0]
        assert (run.verdicts, newest.action, newest.outcome) == ({"healthy": 2}, "enable", ActionOutcome.APPLIED)
    assert not gateway.state.document["openai-compatibility"][0].get("disabled")


async def test_the_embedded_gateway_calls_a_disabled_provider_with_the_key_of_its_entry(tmp_path: Path) -> None:
    async with embedded(tmp_path, HEAD + compat_config(["alpha"])) as bench:
        (account,) = (await bench.inspector.listing.view(Selection(settings().account_source))).accounts
        await set_disabled(bench.inspector, [account.id], True, "anna")
        run = await inspected(bench.inspector, settings())
        (result,) = await bench.inspector.history.results(run.id)
        assert (result.enabled, bool(result.attempts)) == (False, True)
