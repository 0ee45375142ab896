from pathlib import Path

import pytest

from adapter.fake import FakeGateway, reply
from extension.engine.actions.change_plan import Group
from extension.engine.errors import UndoRefused
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.settings import AutoActionMode, SettingsError
from extension.reasons.codes import ReasonCode
from extension.store.records import ActionOutcome, ActorKind, Cause
from tests.extension.engine.actions.test_automation import automatic
from tests.extension.engine.scenario import (
    FILES,
    HEALTHY,
    TWO_KEYS,
    VENDOR_B,
    FlyingClock,
    apply,
    compat_config,
    delete_files,
    fleet,
    inspected,
    newest_actions,
    numbers,
    opened,
    release,
    set_disabled,
    settings,
)


@pytest.fixture
def gateway() -> FakeGateway:
    gateway = FakeGateway(compat_config(["alpha", "beta"]) + VENDOR_B, FILES)
    gateway.upstream = lambda _: reply(401)
    return gateway


async def stormy(inspector: Inspector, gateway: FakeGateway) -> int:
    gateway.upstream = lambda _: reply(429)
    return (await inspected(inspector, automatic(brake=True))).id


async def test_a_dry_run_shows_what_each_mode_would_do_and_does_nothing(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    run = await inspected(inspector, settings())
    nothing, disable = await inspector.follow_up.plans(run.id)
    assert (nothing.mode, nothing.applied, nothing.held) == (AutoActionMode.NONE, (), ())
    assert (disable.mode, len(disable.applied), disable.held) == (AutoActionMode.DISABLE, 3, ())
    assert await newest_actions(inspector) == ()
    assert not gateway.writes


async def test_applying_a_run_does_exactly_what_its_dry_run_showed(inspector: Inspector, gateway: FakeGateway) -> None:
    run = await inspected(inspector, settings())
    planned = {change.asked.record.id for change in (await inspector.follow_up.plans(run.id))[1].applied}
    made = await apply(inspector, run.id, AutoActionMode.DISABLE, "ben")
    assert {action.account_id for action in made} == planned
    assert {(action.outcome, action.cause, action.actor_kind) for action in made} == {
        (ActionOutcome.APPLIED, Cause.APPLY, ActorKind.PERSON)
    }
    assert (await inspector.follow_up.plans(run.id))[1].applied == ()
    assert gateway.writes == {"openai-compatibility": 1, "claude-api-key": 1}


async def test_what_anybody_did_to_an_account_since_its_probe_leaves_nothing_to_do_about_it(
    inspector: Inspector, clock: FlyingClock
) -> None:
    run = await inspected(inspector, settings())
    alpha = (await numbers(inspector))["alpha"]
    await clock.advance(1)
    await set_disabled(inspector, [alpha], True, "ben")
    planned = {change.asked.record.id for change in (await inspector.follow_up.plans(run.id))[1].applied}
    made = await apply(inspector, run.id, AutoActionMode.DISABLE, "ben")
    assert len(planned) == 2
    assert alpha not in planned
    assert {action.account_id for action in made} == planned


async def test_a_mode_that_the_source_does_not_know_is_refused(inspector: Inspector) -> None:
    run = await inspected(inspector, settings())
    with pytest.raises(SettingsError, match="none, disable"):
        await apply(inspector, run.id, AutoActionMode.DELETE, "ben")


async def test_a_recommendation_of_a_stale_run_is_a_conflict(inspector: Inspector, gateway: FakeGateway) -> None:
    stale = await inspected(inspector, settings())
    await inspected(inspector, settings())
    made = await apply(inspector, stale.id, AutoActionMode.DISABLE, "ben")
    assert {action.outcome for action in made} == {ActionOutcome.CONFLICT}
    assert "newer result" in made[0].text.text
    assert not gateway.writes


async def test_what_the_brake_held_is_released_by_one_call(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"stormy": 5}))
    async with opened(tmp_path, gateway) as inspector:
        run = await stormy(inspector, gateway)
        assert not gateway.writes
        made = await release(inspector, run, "ben")
        assert [action.outcome for action in made] == [ActionOutcome.APPLIED] * 5
        assert all(hold.released_at is not None for hold in await inspector.history.held(run))
        assert await release(inspector, run, "ben") == ()
    assert gateway.writes == {"claude-api-key": 1}


async def test_undoing_a_run_covers_the_actions_of_every_actor_on_its_results(inspector: Inspector) -> None:
    run = await inspected(inspector, settings())
    everyone = list((await numbers(inspector)).values())
    made = await set_disabled(inspector, everyone, True, "anna", "in the table")
    assert {action.cause for action in made} == {Cause.REQUEST}
    undone = (await inspector.undo.of_run(run.id, "ben")).actions
    assert [action.outcome for action in undone] == [ActionOutcome.APPLIED] * 3
    assert (await inspector.listing.view(Selection(Source.API_KEY))).statistics.disabled == 0


async def test_undoing_a_run_restores_the_state_before_its_first_action_on_an_account(inspector: Inspector) -> None:
    run = await inspected(inspector, automatic())
    alpha, beta = [(await numbers(inspector))[name] for name in ("alpha", "beta")]
    await set_disabled(inspector, [alpha, beta], False, "anna")
    await set_disabled(inspector, [alpha], True, "anna")
    made = {action.account_id: action for action in (await inspector.undo.of_run(run.id, "ben")).actions}
    assert made[alpha].outcome is ActionOutcome.APPLIED
    assert beta not in made  # disabled by the run and enabled again: it is as before
    assert (await inspector.listing.view(Selection(Source.API_KEY))).statistics.disabled == 0


async def test_an_action_about_a_later_run_outranks_the_undo_of_an_earlier_one(inspector: Inspector) -> None:
    run = await inspected(inspector, automatic())
    alpha = (await numbers(inspector))["alpha"]
    await set_disabled(inspector, [alpha], False, "anna")
    await inspected(inspector, settings())
    await set_disabled(inspector, [alpha], True, "anna", "it is mine")
    made = {action.account_id: action for action in (await inspector.undo.of_run(run.id, "ben")).actions}
    assert alpha not in made
    assert sum(action.outcome is ActionOutcome.APPLIED for action in made.values()) == 2
    assert (await inspector.listing.view(Selection(Source.API_KEY))).statistics.disabled == 1


async def test_a_deletion_cannot_be_undone(inspector: Inspector) -> None:
    anna = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
    (action,) = await delete_files(inspector, [anna], "ben")
    with pytest.raises(UndoRefused) as caught:
        await inspector.undo.of_actions([action.id], "ben")
    assert "not deletions" in caught.value.hint


async def test_what_was_handed_over_is_enabled_by_automation_whoever_disabled_it(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    gateway.upstream = lambda request: HEALTHY if "b.example" in request.url else reply(200)
    (vendor_b,) = (number for name, number in (await numbers(inspector)).items() if name not in {"alpha", "beta"})
    await set_disabled(inspector, [vendor_b], True, "anna")
    await inspector.listing.set_flags([vendor_b], managed=True)
    await inspected(inspector, automatic())
    newest = (await newest_actions(inspector))[0]
    assert (newest.action, newest.outcome, newest.actor_kind) == (
        "enable",
        ActionOutcome.APPLIED,
        ActorKind.AUTOMATION,
    )


async def test_an_account_that_is_never_to_be_probed_is_told_not_probed(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    alpha = (await numbers(inspector))["alpha"]
    await inspector.listing.set_flags([alpha], never_probe=True)
    run = await inspected(inspector, settings())
    results = {result.display_name: result for result in await inspector.history.results(run.id)}
    assert (results["alpha"].verdict, results["alpha"].action) == ("skipped", "keep")
    (shown,) = [
        account for account in (await inspector.listing.view(Selection(Source.API_KEY))).accounts if account.id == alpha
    ]
    assert (shown.record.never_probe, shown.record.managed) == (True, False)
    assert not [call for call in gateway.calls if "alpha" in call.url]


@pytest.mark.parametrize("mode", ["none", "disable"])
async def test_a_change_that_is_refused_anyway_is_not_on_hold(tmp_path: Path, mode: str) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]) + TWO_KEYS)
    gateway.upstream = lambda request: reply(200 if "alpha" in request.url else 429)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(autoActionMode=mode))
        (disabling,) = [
            planned.plan for planned in await inspector.follow_up.plans(run.id) if planned.mode == "disable"
        ]
        assert run.on_hold == len(disabling.of(Group.ON_HOLD))
        made = await release(inspector, run.id, "anna")
        assert len([action for action in made if action.outcome is not ActionOutcome.REFUSED]) == run.on_hold == 1
        assert (await inspector.runs.get(run.id)).still_on_hold == 0


DISABLE = AutoActionMode.DISABLE


async def groups(inspector: Inspector, run: int) -> dict[Group, set[int]]:
    """Return the accounts of each group of the plan that disables."""
    plan = next(mode_plan.plan for mode_plan in await inspector.follow_up.plans(run) if mode_plan.mode is DISABLE)
    account_ids = {group: {entry.asked.record.id for entry in plan.of(group)} for group in Group}
    assert sum(map(len, account_ids.values())) == len(set().union(*account_ids.values()))
    return account_ids


async def findings(inspector: Inspector, run: int) -> set[int]:
    results = await inspector.history.results(run, 0, 1_000)
    return {result.account_id for result in results if result.action == "disable"}


@pytest.mark.parametrize("acts", [True, False])
async def test_what_was_undone_can_be_applied_again(inspector: Inspector, clock: FlyingClock, *, acts: bool) -> None:
    run = await inspected(inspector, automatic() if acts else settings())
    advised = await findings(inspector, run.id)
    await clock.advance(1)
    if not acts:
        await apply(inspector, run.id, DISABLE, "anna")
    assert (await groups(inspector, run.id))[Group.ALREADY] == advised
    assert await apply(inspector, run.id, DISABLE, "anna") == ()

    await inspector.undo.of_run(run.id, "ben")

    assert (await groups(inspector, run.id))[Group.CHANGE] == advised
    again = await apply(inspector, run.id, DISABLE, "anna")
    assert [action.outcome for action in again] == [ActionOutcome.APPLIED] * len(advised)


async def test_a_decision_of_a_person_stands_and_its_account_is_named_with_the_reason(
    inspector: Inspector, clock: FlyingClock
) -> None:
    run = await inspected(inspector, automatic())
    advised = await findings(inspector, run.id)
    alpha = (await numbers(inspector))["alpha"]
    await clock.advance(1)
    await set_disabled(inspector, [alpha], False, "ben")

    seen = await groups(inspector, run.id)
    assert (seen[Group.REFUSED], seen[Group.ALREADY]) == ({alpha}, advised - {alpha})
    assert await apply(inspector, run.id, DISABLE, "anna") == ()
    plan = next(mode_plan.plan for mode_plan in await inspector.follow_up.plans(run.id) if mode_plan.mode is DISABLE)
    assert plan.of(Group.REFUSED)[0].reason.codes == (ReasonCode.CHANGED_BY_PERSON,)
    (named,) = await apply(inspector, run.id, DISABLE, "anna", [alpha])
    assert named.outcome is ActionOutcome.APPLIED
