"""Every way of acting goes through one plan, and the plan is what then happens."""

import ast
import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import extension.engine
from adapter.fake import FakeGateway, UpstreamRequest, reply
from extension.engine.actions.change_plan import ChangePlan, Group
from extension.engine.actions.executor import Command
from extension.engine.actions.follow_up import Released, RunScope
from extension.engine.actions.ownership import ENABLE
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.settings import AutoActionMode
from extension.store.records import ActionOutcome
from tests.extension.engine.actions.test_automation import automatic
from tests.extension.engine.scenario import (
    TWO_KEYS,
    WatchedGateway,
    apply,
    compat_config,
    fleet,
    inspected,
    opened,
    set_disabled,
)
from tests.extension.engine.scenario import settings as run_settings

WRITES = {"set_disabled", "delete_file", "restore_file"}
RECORDED = {
    Group.CHANGE: {ActionOutcome.APPLIED},
    Group.ALREADY: {ActionOutcome.UNCHANGED},
    Group.REFUSED: {ActionOutcome.REFUSED, ActionOutcome.CONFLICT, ActionOutcome.MISSING},
}


def test_only_the_writers_of_planned_changes_have_the_gateway_write() -> None:
    writers = set()
    root = Path(extension.engine.__file__).parent
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
                writers.add(path.relative_to(root).as_posix())
    assert writers == {"actions/writing.py"}


def a_pool() -> WatchedGateway:
    """Return a pool with keys of a host in trouble, broken ones, a refused pair, and some well ones."""
    gateway = WatchedGateway(compat_config(["alpha", "beta", "gamma"]) + TWO_KEYS + fleet({"stormy": 3}))

    def upstream(request: UpstreamRequest) -> object:
        if "stormy" in request.url:
            return reply(429)
        works = "gamma" in request.url or "sk-pair-one" in request.header["authorization"]
        return reply(200 if works else 401)

    gateway.upstream = upstream  # type: ignore[assignment]
    return gateway


Way = Callable[[Inspector, int, list[int], bool], Awaitable[tuple[ChangePlan, Command]]]


async def by_request(inspector: Inspector, _: int, chosen: list[int], named: bool) -> tuple[ChangePlan, Command]:
    released = frozenset(chosen) if named else frozenset[int]()
    plan = await inspector.commands.preview(chosen, "disable", released)
    return plan, await inspector.commands.carry_out(chosen, "disable", "anna", released=released)


async def by_plan(inspector: Inspector, run: int, chosen: list[int], named: bool) -> tuple[ChangePlan, Command]:
    whole = next(
        mode_plan for mode_plan in await inspector.follow_up.plans(run) if mode_plan.mode is AutoActionMode.DISABLE
    ).plan
    entries = tuple(entry for entry in whole.entries if entry.asked.record.id in chosen)
    released = Released(frozenset(chosen)) if named else None
    done = await inspector.follow_up.apply_batch(run, AutoActionMode.DISABLE, "anna", chosen, released)
    if named:
        entries = tuple(entry for entry in entries if entry.group is not Group.ON_HOLD)
        assert done.batch is None or done.batch.planned.get(Group.ON_HOLD, 0) == 0
    return ChangePlan(entries), done


async def by_release(inspector: Inspector, run: int, chosen: list[int], _: bool) -> tuple[ChangePlan, Command]:
    whole = next(
        mode_plan for mode_plan in await inspector.follow_up.plans(run) if mode_plan.mode is AutoActionMode.DISABLE
    ).plan
    entries = [entry for entry in whole.of(Group.ON_HOLD) if entry.asked.record.id in chosen]
    done = await inspector.follow_up.release_batch(run, "anna", RunScope(chosen))
    assert sum(done.batch.planned.values() if done.batch else [0]) == len(entries)
    return ChangePlan(()), done


WAYS: Mapping[str, Way] = {"request": by_request, "plan": by_plan, "release": by_release}


@settings(max_examples=6, deadline=None)
@given(
    way=st.sampled_from(sorted(WAYS)),
    picks=st.sets(st.integers(0, 7), min_size=1),
    off=st.sets(st.integers(0, 7), max_size=3),
    named=st.booleans(),
    acts=st.booleans(),
)
def test_a_plan_counts_what_then_happens(way: str, picks: set[int], off: set[int], named: bool, acts: bool) -> None:
    async def check(folder: Path) -> None:
        gateway = a_pool()
        async with opened(folder, gateway) as inspector:
            everyone = [account.id for account in (await inspector.listing.view(Selection(Source.API_KEY))).accounts]
            await set_disabled(inspector, [everyone[place] for place in sorted(off)], True, "ben")
            run = await inspected(inspector, automatic() if acts else run_settings())
            batches_before = len(gateway.sizes)
            plan, done = await WAYS[way](inspector, run.id, [everyone[place] for place in sorted(picks)], named)
            outcomes = Counter(action.outcome for action in done.actions)
            if way == "request" or (way == "plan" and not named):
                for group, allowed in RECORDED.items():
                    recorded = [entry for entry in plan.of(group) if entry.is_recorded]
                    assert len(recorded) == sum(outcomes[outcome] for outcome in allowed)
                assert sum(gateway.sizes[batches_before:]) == len(plan.of(Group.CHANGE))
            on_hold = {entry.asked.record.id for entry in plan.of(Group.ON_HOLD)}
            assert not on_hold & {action.account_id for action in done.actions}
            planned = done.batch.planned if done.batch else {}
            assert (
                planned.get(Group.CHANGE, 0) == outcomes[ActionOutcome.APPLIED] == sum(gateway.sizes[batches_before:])
            )

    with tempfile.TemporaryDirectory() as name:
        asyncio.run(check(Path(name)))


async def test_a_selection_leaves_out_the_accounts_on_hold_unless_they_are_named(tmp_path: Path) -> None:
    gateway = a_pool()
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, run_settings())
        holds = await inspector.history.held(run.id)
        assert ({hold.host for hold in holds}, run.on_hold) == ({"stormy.example"}, 3)
        everyone = [account.id for account in (await inspector.listing.view(Selection(Source.API_KEY))).accounts]
        done = await inspector.commands.carry_out(everyone, "disable", "anna")
        assert done.batch is not None
        assert done.batch.planned == {"change": 3, "refused": 2, "onHold": 3}
        first = holds[0].account_id
        (action,) = (await inspector.commands.carry_out([first], "disable", "anna", released=[first])).actions
        assert action.outcome is ActionOutcome.APPLIED
        assert (await inspector.runs.get(run.id)).still_on_hold == 2


async def test_a_run_without_automatic_actions_can_be_released_by_host(tmp_path: Path) -> None:
    async with opened(tmp_path, a_pool()) as inspector:
        run = await inspected(inspector, run_settings())
        nothing = await inspector.follow_up.release_batch(run.id, "anna", RunScope(hosts=["other.example"]))
        assert nothing.batch is None
        done = await inspector.follow_up.release_batch(run.id, "anna", RunScope(hosts=["stormy.example"]))
        assert [action.outcome for action in done.actions] == [ActionOutcome.APPLIED] * 3
        assert (await inspector.runs.get(run.id)).still_on_hold == 0


async def test_a_person_who_applies_a_run_enables_what_automation_may_not(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"well": 2}))
    gateway.upstream = lambda _: reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
    async with opened(tmp_path, gateway) as inspector:
        first = (await inspector.listing.view(Selection(Source.API_KEY))).accounts[0].id
        await set_disabled(inspector, [first], True, "anna")
        run = await inspected(inspector, run_settings())
        plan = (await inspector.follow_up.plans(run.id))[1].plan
        assert [entry.asked.record.id for entry in plan.of(Group.CHANGE)] == [first]
        (made,) = await apply(inspector, run.id, AutoActionMode.DISABLE, "anna")
        assert (made.account_id, made.action, made.outcome) == (first, ENABLE, ActionOutcome.APPLIED)
