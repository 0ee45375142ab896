"""Each finding of a run has a place in its plan, whatever was done about it since."""

import pytest

from extension.engine.actions.change_plan import Group
from extension.engine.inspector import Inspector
from extension.inspection.settings import AutoActionMode
from extension.reasons.codes import ReasonCode
from extension.store.records import ActionOutcome
from tests.extension.engine.actions.test_automation import automatic
from tests.extension.engine.actions.test_follow_up import gateway
from tests.extension.engine.scenario import FlyingClock, apply, inspected, numbers, set_disabled, settings

__all__ = ["gateway"]

DISABLE = AutoActionMode.DISABLE


async def groups(inspector: Inspector, run: int) -> dict[Group, set[int]]:
    """Return the accounts of each group of the plan that disables."""
    plan = next(each.plan for each in await inspector.follow_up.plans(run) if each.mode is DISABLE)
    found = {group: {entry.asked.record.id for entry in plan.of(group)} for group in Group}
    assert sum(map(len, found.values())) == len(set().union(*found.values()))
    return found


async def findings(inspector: Inspector, run: int) -> set[int]:
    results = await inspector.history.results(run, 0, 1_000)
    return {result.account_id for result in results if result.action == "disable"}


@pytest.mark.parametrize("acts", [True, False])
async def test_what_was_undone_can_be_applied_again(inspector: Inspector, clock: FlyingClock, *, acts: bool) -> None:
    run = await inspected(inspector, automatic() if acts else settings())
    found = await findings(inspector, run.id)
    await clock.advance(1)
    if not acts:
        await apply(inspector, run.id, DISABLE, "anna")
    assert (await groups(inspector, run.id))[Group.ALREADY] == found
    assert await apply(inspector, run.id, DISABLE, "anna") == ()

    await inspector.undo.of_run(run.id, "ben")

    assert (await groups(inspector, run.id))[Group.CHANGE] == found
    again = await apply(inspector, run.id, DISABLE, "anna")
    assert [action.outcome for action in again] == [ActionOutcome.APPLIED] * len(found)


async def test_a_decision_of_a_person_stands_and_its_account_is_named_with_the_reason(
    inspector: Inspector, clock: FlyingClock
) -> None:
    run = await inspected(inspector, automatic())
    found = await findings(inspector, run.id)
    alpha = (await numbers(inspector))["alpha"]
    await clock.advance(1)
    await set_disabled(inspector, [alpha], False, "ben")

    seen = await groups(inspector, run.id)
    assert (seen[Group.REFUSED], seen[Group.ALREADY]) == ({alpha}, found - {alpha})
    assert await apply(inspector, run.id, DISABLE, "anna") == ()
    plan = next(each.plan for each in await inspector.follow_up.plans(run.id) if each.mode is DISABLE)
    assert plan.of(Group.REFUSED)[0].reason.codes == (ReasonCode.CHANGED_BY_PERSON,)
    (named,) = await apply(inspector, run.id, DISABLE, "anna", [alpha])
    assert named.outcome is ActionOutcome.APPLIED
