"""Entries with the same key are accounts of their own that share a probe: row, state, ownership, action and undo."""

import asyncio
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.engine.inspector import Inspector
from extension.engine.pool.listed_account import PoolAccount
from extension.inspection.accounts.account import Selection, Source, Statistics
from extension.store.records import ActionOutcome, ActorKind
from tests.extension.engine.embedded import embedded
from tests.extension.engine.scenario import HEALTHY, ended, inspected, newest_actions, opened, set_disabled, settings

KEY = "  - api-key: sk-ant-shared-0123456789\n    base-url: http://shared.example\n"
OFF = '    excluded-models: ["*"]\n'
ALONE_AND_IN_A_PAIR = """openai-compatibility:
  - name: alone
    base-url: http://shared.example/v1
    api-key-entries:
      - api-key: sk-shared-0123456789
  - name: pair
    base-url: http://shared.example/v1
    api-key-entries:
      - api-key: sk-shared-0123456789
      - api-key: sk-other-0123456789
"""
AUTOMATIC = settings(autoActionMode="disable", brake=False)


async def listed(inspector: Inspector) -> tuple[PoolAccount, ...]:
    return (await inspector.listing.view(Selection(Source.API_KEY))).accounts


async def run_to_its_end(inspector: Inspector, **parts: object) -> int:
    chosen = settings(**{"autoActionMode": "disable", "brake": False, **parts})
    return (await inspected(inspector, chosen)).id


def refuse(gateway: FakeGateway) -> None:
    gateway.upstream = lambda _: reply(401)


def accept(gateway: FakeGateway) -> None:
    gateway.upstream = lambda _: HEALTHY


def off(gateway: FakeGateway) -> list[bool]:
    return ["*" in entry.get("excluded-models", ()) for entry in gateway.state.document["claude-api-key"]]


async def test_totals_count_every_entry_and_one_probe_answers_for_all(tmp_path: Path) -> None:
    gateway = FakeGateway("claude-api-key:\n" + KEY * 2 + KEY + "    prefix: second\n")
    accept(gateway)
    async with opened(tmp_path, gateway) as inspector:
        view = await inspector.listing.view(Selection(Source.API_KEY))
        assert view.statistics == Statistics(3, 3, 0)
        assert [account.entries for account in view.accounts] == [3, 3, 3]
        run = await inspected(inspector, settings())
        results = await inspector.history.results(run.id)
    assert (run.total, run.done, run.verdicts, len(gateway.calls)) == (3, 3, {"healthy": 3}, 1)
    first, *others = results
    assert [result.probed_with for result in results] == [None, first.account_id, first.account_id]
    assert all(result.attempts == first.attempts for result in others)


@pytest.mark.parametrize(
    "other", ["proxy-url: http://proxy.example:1", "headers: {X-Team: blue}", "models: [{name: m}]"]
)
async def test_another_proxy_header_or_chat_model_is_another_probe(tmp_path: Path, other: str) -> None:
    gateway = FakeGateway("claude-api-key:\n" + KEY + KEY + f"    {other}\n")
    async with opened(tmp_path, gateway) as inspector:
        await run_to_its_end(inspector)
    assert len(gateway.calls) == 2


async def test_a_refused_action_writes_nothing_and_that_of_its_twin_can_be_undone(tmp_path: Path) -> None:
    gateway = FakeGateway(ALONE_AND_IN_A_PAIR)
    refuse(gateway)
    async with opened(tmp_path, gateway) as inspector:
        before = gateway.state.copied()
        names = {account.facts.compat_name: account.id for account in await listed(inspector) if account.entries == 2}
        (refused,) = await set_disabled(inspector, [names["pair"]], True, "anna")
        assert (refused.outcome, gateway.state.document) == (ActionOutcome.REFUSED, before)
        await run_to_its_end(inspector)
        made = {action.account_id: action for action in await newest_actions(inspector) if action.id > refused.id}
        assert made[names["alone"]].outcome is ActionOutcome.APPLIED
        assert made[names["pair"]].outcome is ActionOutcome.REFUSED
        alone, pair = gateway.state.document["openai-compatibility"]
        assert (alone["disabled"], "disabled" in pair) == (True, False)
        (undone,) = (await inspector.undo.of_actions([made[names["alone"]].id], "ben")).actions
        assert (undone.outcome, gateway.state.document) == (ActionOutcome.APPLIED, before)


async def test_automation_leaves_the_entry_of_a_person_off_when_its_twin_works_again(tmp_path: Path) -> None:
    gateway = FakeGateway("claude-api-key:\n" + KEY + "    prefix: second\n" + KEY + OFF)
    async with opened(tmp_path, gateway) as inspector:
        refuse(gateway)
        await run_to_its_end(inspector)
        assert off(gateway) == [True, True]
        accept(gateway)
        await run_to_its_end(inspector)
        assert off(gateway) == [False, True]
        assert {action.actor_kind for action in await newest_actions(inspector)} == {ActorKind.AUTOMATION}


async def test_undo_of_one_entry_leaves_its_twin_disabled(tmp_path: Path) -> None:
    gateway = FakeGateway("claude-api-key:\n" + KEY * 2)
    async with opened(tmp_path, gateway) as inspector:
        first, second = await listed(inspector)
        made = await set_disabled(inspector, [first.id, second.id], True, "anna")
        assert off(gateway) == [True, True]
        await inspector.undo.of_actions([made[1].id], "anna")
        assert off(gateway) == [True, False]
        await inspector.undo.of_actions([made[0].id], "anna")
        assert off(gateway) == [False, False]


async def test_a_resumed_run_probes_no_twin_again(tmp_path: Path) -> None:
    single = "  - api-key: sk-ant-single-0123456789\n    base-url: http://single.example\n"
    gateway = FakeGateway("claude-api-key:\n" + KEY + single + KEY)
    reached = asyncio.Event()

    async def upstream(request: UpstreamRequest) -> Answer:
        if "single" in request.url:
            reached.set()
            await asyncio.Event().wait()
        return HEALTHY

    gateway.upstream = upstream
    async with opened(tmp_path, gateway) as inspector:
        run = await inspector.runs.start(settings(workers=1), "anna")
        await reached.wait()
        assert (await inspector.runs.get(run.id)).done == 2
    accept(gateway)
    async with opened(tmp_path, gateway) as inspector:
        await inspector.runs.resume(run.id)
        assert (await ended(inspector, run.id)).verdicts == {"healthy": 3}
    assert sum("shared" in call.url for call in gateway.calls) == 1


async def test_the_circuit_breaker_counts_a_shared_probe_once(tmp_path: Path) -> None:
    well = "".join(f"  - api-key: sk-ant-{n:04}-0123456789\n    base-url: http://shared.example\n" for n in range(9))
    gateway = FakeGateway("claude-api-key:\n" + well + KEY * 20)
    async with opened(tmp_path, gateway) as inspector:
        shared = [account.id for account in await listed(inspector) if account.entries == 20]
        pool = await gateway.accounts()
        accept(gateway)
        for account in pool.accounts[9:]:
            gateway.script(account.ref, reply(401))
        await run_to_its_end(inspector, brake=True, brakeMinimum=5)
        disabled = [action.account_id for action in await newest_actions(inspector)]
    assert sorted(disabled) == sorted(shared)


async def test_when_one_of_identical_entries_is_removed_the_rest_belongs_to_a_person(tmp_path: Path) -> None:
    gateway = FakeGateway("claude-api-key:\n" + KEY * 2)
    async with opened(tmp_path, gateway) as inspector:
        first, second = await listed(inspector)
        refuse(gateway)
        await run_to_its_end(inspector)
        made = await newest_actions(inspector)
        document = gateway.state.copied()
        del document["claude-api-key"][0]
        gateway.state.replace_document(document)
        (remaining,) = await listed(inspector)
        assert (remaining.id, remaining.disabled_by) == (first.id, None)
        accept(gateway)
        await run_to_its_end(inspector)
        assert off(gateway) == [True]
        undone = (await inspector.undo.of_actions([made[0].id, made[1].id], "anna")).actions
        assert {action.outcome for action in undone} == {ActionOutcome.CONFLICT, ActionOutcome.MISSING}
        assert any("were added, edited or removed since" in action.text.text for action in undone)
        assert off(gateway) == [True]
        document["claude-api-key"] *= 2
        gateway.state.replace_document(document)
        assert [account.id for account in await listed(inspector)] == [first.id, second.id]


async def test_an_entry_keeps_its_number_and_owner_when_its_headers_are_edited(tmp_path: Path) -> None:
    gateway = FakeGateway("claude-api-key:\n" + KEY)
    async with opened(tmp_path, gateway) as inspector:
        refuse(gateway)
        await run_to_its_end(inspector)
        (before,) = await listed(inspector)
        document = gateway.state.copied()
        document["claude-api-key"][0]["headers"] = {"X-Team": "blue"}
        gateway.state.replace_document(document)
        (after,) = await listed(inspector)
        assert (after.id, after.disabled_by) == (before.id, before.disabled_by)
        accept(gateway)
        await run_to_its_end(inspector)
        assert off(gateway) == [False]


async def test_embedded_a_refusal_leaves_every_byte_and_twins_are_disabled_and_undone_apart(tmp_path: Path) -> None:
    text = (
        "auth-dir: {auths}\nclaude-api-key:\n" + KEY + "    prefix: second # mine\n" + KEY + OFF + ALONE_AND_IN_A_PAIR
    )
    async with embedded(tmp_path, text) as bench:
        before = bench.stored()
        view = await bench.inspector.listing.view(Selection(Source.API_KEY))
        assert view.statistics == Statistics(5, 4, 1)
        shared = {account.facts.compat_name: account for account in view.accounts if account.entries == 2}
        (refused,) = await set_disabled(bench.inspector, [shared["pair"].id], True, "anna")
        assert (refused.outcome, bench.stored()) == (ActionOutcome.REFUSED, before)
        run = await inspected(bench.inspector, AUTOMATIC)
        outcomes = sorted(action.outcome for action in await newest_actions(bench.inspector) if action.id > refused.id)
        assert outcomes == [ActionOutcome.APPLIED] * 2 + [ActionOutcome.REFUSED] * 2
        undone = (await bench.inspector.undo.of_run(run.id, "ben")).actions
        assert [action.outcome for action in undone] == [ActionOutcome.APPLIED] * 2
        assert bench.stored() == before
