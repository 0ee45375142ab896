"""Changes on hold are one number in a run, the pool and a plan; the number a run put on hold stays."""

import pytest

from adapter.fake import FakeGateway, reply
from extension.api.payloads.runs import RunView
from extension.engine.actions.change_plan import Group
from extension.engine.inspector import Inspector
from extension.inspection.settings import AutoActionMode
from tests.extension.engine.scenario import FlyingClock, inspected, release, set_disabled, settings

DISABLE = AutoActionMode.DISABLE
KEYS = 8


@pytest.fixture
def gateway() -> FakeGateway:
    """One host that refuses every key, so that all are on hold."""
    entries = "".join(
        f"  - api-key: sk-ant-key-of-one-host-{number:04}\n    base-url: http://one.example\n" for number in range(KEYS)
    )
    gateway = FakeGateway(f"claude-api-key:\n{entries}")
    gateway.upstream = lambda _: reply(401)
    return gateway


async def on_hold(inspector: Inspector, run: int) -> int:
    """Return how many are on hold, which the run, the pool and the plan have to agree about."""
    plan = next(mode_plan.plan for mode_plan in await inspector.follow_up.plans(run) if mode_plan.mode is DISABLE)
    table = await inspector.overview.read()
    counts = {
        (await inspector.runs.get(run)).still_on_hold,
        len(plan.of(Group.ON_HOLD)),
        sum(1 for row in table.rows if row.on_hold),
    }
    assert len(counts) == 1, counts
    return counts.pop()


async def test_what_was_done_by_name_and_taken_back_is_on_hold_again(inspector: Inspector, clock: FlyingClock) -> None:
    run = (await inspected(inspector, settings())).id
    some = [row.listed.id for row in (await inspector.overview.read()).rows][:3]
    assert await on_hold(inspector, run) == KEYS
    await clock.advance(1)
    await inspector.commands.carry_out(some, "disable", "anna", released=some)
    assert await on_hold(inspector, run) == KEYS - 3
    await clock.advance(1)
    await inspector.undo.of_run(run, "ben")
    assert await on_hold(inspector, run) == KEYS


async def test_a_release_that_is_taken_back_can_be_released_again(inspector: Inspector, clock: FlyingClock) -> None:
    run = (await inspected(inspector, settings())).id
    for _ in range(2):
        await clock.advance(1)
        assert len(await release(inspector, run, "anna")) == KEYS
        assert await on_hold(inspector, run) == 0
        await clock.advance(1)
        await inspector.undo.of_run(run, "ben")
        assert await on_hold(inspector, run) == KEYS


async def test_a_selection_keeps_on_hold_what_an_undo_put_on_hold_again(
    inspector: Inspector, clock: FlyingClock
) -> None:
    run = (await inspected(inspector, settings())).id
    every = [row.listed.id for row in (await inspector.overview.read()).rows]
    await clock.advance(1)
    await inspector.commands.carry_out(every[:3], "disable", "anna", released=every[:3])
    await clock.advance(1)
    await inspector.undo.of_run(run, "ben")
    plan = await inspector.commands.preview(every, "disable")
    assert {group.value: len(plan.of(group)) for group in Group if plan.of(group)} == {"onHold": KEYS}


async def test_what_somebody_did_in_between_and_still_stands_keeps_it_released(
    inspector: Inspector, clock: FlyingClock
) -> None:
    run = (await inspected(inspector, settings())).id
    first = (await inspector.overview.read()).rows[0].listed.id
    await clock.advance(1)
    await inspector.commands.carry_out([first], "disable", "anna", released=[first])
    await clock.advance(1)
    (enabled,) = await set_disabled(inspector, [first], False, "anna")
    await clock.advance(1)
    await inspector.undo.of_actions([enabled.id], "ben")
    assert (await inspector.runs.get(run)).still_on_hold == KEYS - 1


async def test_a_newer_run_takes_over_what_is_on_hold(inspector: Inspector, clock: FlyingClock) -> None:
    older = (await inspected(inspector, settings())).id
    some = [row.listed.id for row in (await inspector.overview.read()).rows][:2]
    await clock.advance(1)
    await inspector.commands.carry_out(some, "disable", "anna", released=some)
    await clock.advance(1)
    newer = (await inspected(inspector, settings())).id
    for _ in range(2):
        both = await inspector.runs.get(older), await inspector.runs.get(newer)
        assert [record.still_on_hold for record in both] == [0, KEYS - 2]
        assert [record.on_hold for record in both] == [KEYS, KEYS - 2]
        await clock.advance(1)
        await inspector.undo.of_run(older, "ben")


async def test_a_release_of_an_older_run_leaves_the_newer_one_its_own(inspector: Inspector, clock: FlyingClock) -> None:
    older = (await inspected(inspector, settings())).id
    await clock.advance(1)
    newer = (await inspected(inspector, settings())).id
    assert await release(inspector, older, "anna") == ()
    assert await on_hold(inspector, newer) == KEYS


async def test_what_a_run_recommended_and_put_on_hold_stays_as_it_was_at_its_end(
    inspector: Inspector, clock: FlyingClock
) -> None:
    run = (await inspected(inspector, settings())).id
    view = RunView.of(await inspector.runs.get(run))
    assert (view.recommendations.disable, view.on_hold, view.still_on_hold) == (KEYS, KEYS, KEYS)
    some = [row.listed.id for row in (await inspector.overview.read()).rows][:3]
    await clock.advance(1)
    await release(inspector, run, "anna", some)
    assert RunView.of(await inspector.runs.get(run)) == view.model_copy(update={"still_on_hold": KEYS - 3})
    await clock.advance(1)
    await inspected(inspector, settings())
    assert RunView.of(await inspector.runs.get(run)) == view.model_copy(update={"still_on_hold": 0})
