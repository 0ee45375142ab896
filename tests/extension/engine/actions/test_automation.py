from collections.abc import Callable
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, Script, UpstreamRequest, reply
from adapter.port import Answer, errors
from extension.engine.actions.change_plan import Group
from extension.engine.actions.follow_up import RunScope
from extension.engine.actions.requests import Hold
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import AutoActionMode, InspectionSettings, parse_settings
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, Cause
from extension.store.run_state import RunState
from tests.extension.engine.scenario import (
    FILES,
    HEALTHY,
    INVALID,
    VENDOR_B,
    apply,
    compat_config,
    ended,
    fleet,
    honest,
    inspected,
    meanwhile,
    newest_actions,
    numbers,
    opened,
    refs,
    release,
    set_disabled,
    settings,
)

NAMES = ["alpha", "beta", "gamma"]


def automatic(**parts: object) -> InspectionSettings:
    return settings(**{"autoActionMode": "disable", "workers": 1, "brake": False, **parts})


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(compat_config(NAMES) + VENDOR_B, FILES)


async def actions(inspector: Inspector) -> dict[str, ActionRecord]:
    return {action.display_name: action for action in reversed(await newest_actions(inspector))}


async def test_a_refused_key_is_disabled_by_the_run_with_its_evidence(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    gateway.script((await refs(gateway))["alpha"], reply(401))
    run = await inspected(inspector, automatic())
    (action,) = await newest_actions(inspector)
    assert (action.display_name, action.action, action.outcome) == ("alpha", "disable", ActionOutcome.APPLIED)
    assert (action.actor_kind, action.cause, action.run_id) == (ActorKind.AUTOMATION, Cause.RUN, run.id)
    assert (action.evidence["verdict"], action.evidence["status"]) == ("invalid_key", 401)
    assert "401" in action.reason.text


async def test_without_an_automatic_mode_a_run_writes_nothing(inspector: Inspector, gateway: FakeGateway) -> None:
    gateway.upstream = lambda _: reply(401)
    run = await inspected(inspector, settings())
    assert (run.recommendations["disable"], await newest_actions(inspector)) == (4, ())
    assert not gateway.writes


@pytest.mark.parametrize("at_once", [True, False])
async def test_each_account_is_acted_on_once_at_once_or_at_the_end(
    tmp_path: Path, gateway: FakeGateway, at_once: bool
) -> None:
    gateway.upstream = honest(lambda _: reply(403))
    async with opened(tmp_path, gateway) as inspector:
        await inspected(inspector, automatic(realtimeAutoActions={"disable": at_once}))
        made = await newest_actions(inspector)
        assert len(made) == len({action.account_id for action in made}) == 4
        assert {action.outcome for action in made} == {ActionOutcome.APPLIED}
    if not at_once:
        assert gateway.writes == {"openai-compatibility": 1, "claude-api-key": 1}


async def test_automation_enables_what_it_disabled_when_it_is_well_again(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    gateway.upstream = lambda request: reply(401 if "b.example" in request.url else 200)
    await inspected(inspector, automatic())
    gateway.upstream = lambda _: reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
    await inspected(inspector, automatic())
    newest = (await newest_actions(inspector))[0]
    assert (newest.action, newest.outcome) == ("enable", ActionOutcome.APPLIED)
    assert gateway.state.document["claude-api-key"][0]["excluded-models"] == ["old-*"]


async def test_what_a_refused_chat_disabled_is_recommended_for_enabling_by_a_chat_alone(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    models = reply(200, '{"object":"list","data":[{"id":"m","object":"model"}]}')
    chat = reply(402, '{"error":{"message":"Insufficient balance"}}')
    gateway.upstream = honest(lambda request: models if request.method == "GET" else chat)
    gateway.state.replace_document({"openai-compatibility": gateway.state.document["openai-compatibility"][:1]})
    await inspected(inspector, automatic(checkDepth="usable"))
    run = await inspected(inspector, automatic())
    (result,) = await inspector.history.results(run.id)
    assert (result.verdict, result.action, result.reason.codes[-1]) == ("healthy", "keep", "disabled_by_chat")
    chat = reply(200, '{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"pong"}}]}')
    await inspected(inspector, automatic(checkDepth="usable"))
    assert [action.action for action in await newest_actions(inspector)] == ["enable", "disable"]


async def test_what_a_person_disabled_stays_disabled_however_healthy_it_is(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    gateway.upstream = lambda _: HEALTHY
    (vendor_b,) = (number for name, number in (await numbers(inspector)).items() if name not in NAMES)
    await set_disabled(inspector, [vendor_b], True, "ben", "on purpose")
    run = await inspected(inspector, automatic())
    assert run.recommendations["enable"] == 1
    assert len(await newest_actions(inspector)) == 1
    assert gateway.state.document["claude-api-key"][0]["excluded-models"] == ["old-*", "*"]


async def test_what_was_disabled_before_we_came_is_left_alone(tmp_path: Path) -> None:
    gateway = FakeGateway(VENDOR_B.replace("[old-*]", '["*"]'))
    gateway.upstream = lambda _: HEALTHY
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic())
        assert (run.recommendations["enable"], await newest_actions(inspector)) == (1, ())


async def test_an_account_that_changed_since_its_probe_is_a_conflict_and_stops_no_other(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    def upstream(request: UpstreamRequest) -> object:
        if "b.example" in request.url:  # the last one: meanwhile somebody gives beta a model
            gateway.state.document["openai-compatibility"][1]["models"] = [{"name": "new"}]
            gateway.state.replace_document(gateway.state.document)
        return reply(401)

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    await inspected(inspector, automatic(realtimeAutoActions={"disable": False}))
    made = await actions(inspector)
    assert made["beta"].outcome is ActionOutcome.CONFLICT
    assert {action.outcome for name, action in made.items() if name != "beta"} == {ActionOutcome.APPLIED}
    assert "disabled" not in gateway.state.document["openai-compatibility"][1]


async def test_a_key_is_never_deleted_by_any_mode(inspector: Inspector, gateway: FakeGateway) -> None:
    gateway.upstream = lambda _: reply(401)
    await inspected(inspector, automatic(realtimeAutoActions={"delete": True}))
    assert {action.action for action in await newest_actions(inspector)} == {"disable"}
    assert len(gateway.state.document["openai-compatibility"]) == 3


async def test_stopping_discards_what_has_not_been_started(tmp_path: Path, gateway: FakeGateway) -> None:
    clock = FakeClock()

    async def upstream(request: UpstreamRequest) -> object:
        if "b.example" in request.url:
            await clock.sleep(60)
        return reply(401)

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspector.runs.start(automatic(realtimeAutoActions={"disable": False}), "anna")
        await clock.sleeping()
        assert (await inspector.runs.stop(run.id)).state is RunState.STOPPED
        assert await newest_actions(inspector) == ()
    assert not gateway.writes


def slow_at_first(name: str, clock: FakeClock, answer: Callable[[UpstreamRequest], Answer]) -> Script:
    """Answer each request, the first one of an account after a minute."""
    slow = [name]

    async def upstream(request: UpstreamRequest) -> Answer:
        if name in request.url and slow:
            slow.clear()
            await clock.sleep(60)
        return answer(request)

    return upstream


async def test_finishing_early_does_what_the_results_so_far_call_for(tmp_path: Path, gateway: FakeGateway) -> None:
    clock = FakeClock()
    gateway.upstream = slow_at_first("beta", clock, lambda _: reply(401))
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspector.runs.start(automatic(realtimeAutoActions={"disable": False}), "anna")
        await clock.sleeping()
        assert (await inspector.runs.finish(run.id)).state is RunState.FINISHING
        await clock.advance(60)
        done = await meanwhile(clock, ended(inspector, run.id))
        assert (done.state, done.done, done.total) == (RunState.FINISHED, 3, 4)
        assert "gamma" not in {action.display_name for action in await newest_actions(inspector)}
        assert len(await newest_actions(inspector)) == 3


async def test_a_paused_run_neither_probes_nor_acts_until_it_goes_on(tmp_path: Path, gateway: FakeGateway) -> None:
    clock = FakeClock()
    gateway.upstream = slow_at_first("alpha", clock, lambda request: HEALTHY if "b.ex" in request.url else reply(401))
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspector.runs.start(automatic(), "anna")
        await clock.sleeping()
        assert (await inspector.runs.pause(run.id)).state is RunState.PAUSED
        await clock.advance(60)
        while (await inspector.runs.get(run.id)).done < 2:
            await inspector.event_log.wait(0)
        assert (len(gateway.calls), await newest_actions(inspector)) == (3, ())
        assert (await inspector.runs.resume(run.id)).state is RunState.RUNNING
        assert (await meanwhile(clock, ended(inspector, run.id))).state is RunState.FINISHED
        assert len(await newest_actions(inspector)) == 3


async def test_after_a_crash_nothing_is_done_twice_and_nothing_is_forgotten(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    clock = FakeClock()

    async def upstream(request: UpstreamRequest) -> object:
        if "gamma" in request.url:
            await clock.sleep(60)
        return reply(401)

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspector.runs.start(automatic(realtimeAutoActions={"disable": False}), "anna")
        await clock.sleeping()
    assert not gateway.writes
    gateway.upstream = lambda _: reply(401)
    async with opened(tmp_path, gateway) as inspector:
        assert (await inspector.runs.get(run.id)).state is RunState.INTERRUPTED
        await inspector.runs.resume(run.id)
        await ended(inspector, run.id)
        made = await newest_actions(inspector)
    assert len(made) == len({action.account_id for action in made}) == 4
    assert gateway.writes == {"openai-compatibility": 1, "claude-api-key": 1}


async def test_a_pool_that_cannot_be_read_for_a_while_delays_actions_instead_of_losing_them(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    def upstream(request: UpstreamRequest) -> object:
        if "b.example" in request.url:
            gateway.fail("accounts", errors.Unavailable("It restarts."), errors.Unavailable("It restarts."))
        return reply(401)

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    run = await inspected(inspector, automatic(realtimeAutoActions={"disable": False}))
    assert run.state is RunState.FINISHED
    assert {action.outcome for action in await newest_actions(inspector)} == {ActionOutcome.APPLIED}


@pytest.mark.parametrize(("mode", "probed"), [("strategy5", {"ben@example.org"}), ("strategy6", {"anna@example.org"})])
async def test_strategies_five_and_six_probe_the_disabled_or_the_enabled_alone(
    inspector: Inspector, gateway: FakeGateway, mode: str, probed: set[str]
) -> None:
    gateway.state.files["ben.json"]["disabled"] = True
    run = await inspected(inspector, parse_settings({"autoActionMode": mode}))
    assert {result.display_name for result in await inspector.history.results(run.id)} == probed
    assert (await inspector.listing.view(Selection(Source.OAUTH))).statistics.total == 2


async def test_while_automation_is_paused_a_run_puts_its_actions_on_hold_also_after_a_restart(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    gateway.upstream = lambda _: reply(401)
    chosen = settings(autoActionMode="disable", brake=False)
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
    gateway = FakeGateway(fleet({"calm": 4, "refusing": 3}))
    gateway.upstream = lambda request: reply(401) if "refusing-0000" in request.header["x-api-key"] else HEALTHY
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


async def test_a_protected_account_is_checked_and_never_switched_by_a_run(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    gateway.upstream = lambda _: reply(401)
    everyone = list((await numbers(inspector)).values())
    await inspector.listing.set_flags(everyone, protected=True)
    run = await inspected(inspector, automatic())
    assert run.recommendations["disable"] == len(everyone)
    assert not gateway.writes
    made = await apply(inspector, run.id, AutoActionMode.DISABLE, "anna")
    assert {action.outcome for action in made} == {ActionOutcome.APPLIED}


@pytest.mark.parametrize("minimum", [0, 1, 2])
async def test_automation_leaves_a_minimum_of_enabled_accounts_on_each_host(tmp_path: Path, minimum: int) -> None:
    gateway = FakeGateway(fleet({"dead": 3}))
    gateway.upstream = lambda _: INVALID
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic(brake=False, keepAtLeast=minimum))
        accounts = (await gateway.accounts()).accounts
        assert sum(account.enabled is True for account in accounts) == minimum
        holds = await inspector.history.held(run.id)
        assert [(hold.code, hold.params) for hold in holds] == [("keep_at_least", {"minimum": minimum})] * minimum
        made = await release(inspector, run.id, "anna")
        assert len(made) == minimum, "a person decides otherwise"


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
