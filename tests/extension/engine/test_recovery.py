"""Recovery: automation enables again what it disabled, in every family."""

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
    compat_config,
    inspected,
    key_of,
    newest_actions,
    opened,
    set_disabled,
    settings,
)

HEAD = "auth-dir: {auths}\n"
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
