import asyncio
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, reply
from adapter.port import errors
from extension.engine.errors import AccountUnknown
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.store.records import ActionOutcome, ActorKind, EventKind
from tests.extension.engine.scenario import (
    FILES,
    TWO_KEYS,
    VENDOR_B,
    WatchedGateway,
    all_events,
    compat_config,
    delete_files,
    died,
    inspected,
    newest_actions,
    numbers,
    opened,
    refs,
    set_disabled,
    settings,
)


@pytest.fixture
def gateway() -> WatchedGateway:
    return WatchedGateway(compat_config(["alpha", "beta"]) + TWO_KEYS + VENDOR_B, FILES)


async def test_a_disabled_account_is_recorded_with_who_why_evidence_and_both_states(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    gateway.script((await refs(gateway))["alpha"], reply(401))
    run = await inspected(inspector, settings())
    alpha = (await numbers(inspector))["alpha"]
    (action,) = await set_disabled(inspector, [alpha], True, "anna", "its key was revoked")
    assert (action.account_id, action.action, action.outcome) == (alpha, "disable", ActionOutcome.APPLIED)
    assert (action.actor, action.actor_kind, action.reason.text) == (
        "anna",
        ActorKind.PERSON,
        "its key was revoked",
    )
    assert action.run_id == run.id
    assert (action.evidence["verdict"], action.evidence["status"]) == ("invalid_key", 401)
    assert action.before["enabled"] is True
    assert action.after is not None
    assert action.after["enabled"] is False
    assert action.settled_at is not None
    assert await newest_actions(inspector) == (action,)


async def test_history_and_results_name_the_entry_by_key_hint_and_place(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        await inspected(inspector, settings())
        view = await inspector.listing.view(Selection(Source.API_KEY))
        (account,) = [account for account in view.accounts if account.facts.section == "claude-api-key"]
        (action,) = await set_disabled(inspector, [account.id], True, "anna", "dead")

    assert account.last_result is not None
    for record in (account.facts, account.last_result, action):
        assert (record.key_hint, record.place) == ("sk-a…ey-1", "claude-api-key[0]")
    assert action.before["entries"][0]["name"] == "claude-api-key[0]"


async def test_a_file_named_by_a_uuid_keeps_its_name_in_the_history(tmp_path: Path) -> None:
    name = "codex-3f2b8a1c-9d4e-4f6a-8b7c-0123456789ab.json"
    gateway = FakeGateway("", {name: {"type": "codex", "access_token": "a-token-of-some-length"}})
    async with opened(tmp_path, gateway) as inspector:
        (account,) = (await inspector.listing.view(Selection(Source.OAUTH))).accounts
        (action,) = await set_disabled(inspector, [account.id], True, "anna", "")

    assert account.facts.file_name == name
    assert action.before["entries"][0]["name"] == name
    assert (action.key_hint, action.place) == ("", name)


async def test_a_disabled_compatible_provider_hides_but_stays_counted_and_can_be_enabled(inspector: Inspector) -> None:
    alpha = (await numbers(inspector))["alpha"]
    await set_disabled(inspector, [alpha], True, "anna", "dead")
    view = await inspector.listing.view(Selection(Source.API_KEY))
    (account,) = [account for account in view.accounts if account.id == alpha]
    assert (account.enabled, account.listed, account.probeable) == (False, False, False)
    assert account.disabled_by is not None
    assert (account.disabled_by.kind, account.disabled_by.actor, account.disabled_by.reason.text) == (
        ActorKind.PERSON,
        "anna",
        "dead",
    )
    assert (view.statistics.total, view.statistics.enabled, view.statistics.disabled) == (5, 4, 1)
    (action,) = await set_disabled(inspector, [alpha], False, "ben")
    assert (action.action, action.outcome) == ("enable", ActionOutcome.APPLIED)
    (account,) = [
        account for account in (await inspector.listing.view(Selection(Source.API_KEY))).accounts if account.id == alpha
    ]
    assert (account.enabled, account.listed, account.disabled_by) == (True, True, None)


async def test_patterns_of_an_entry_survive_and_are_recorded(inspector: Inspector, gateway: FakeGateway) -> None:
    keys = (await inspector.listing.view(Selection(Source.API_KEY))).accounts
    (vendor_b,) = [key.id for key in keys if key.facts.family == "vendor-b-apikey"]
    (action,) = await set_disabled(inspector, [vendor_b], True, "anna")
    assert action.before["written"][0]["excludedModels"] == ["old-*"]
    assert gateway.state.document["claude-api-key"][0]["excluded-models"] == ["old-*", "*"]
    await set_disabled(inspector, [vendor_b], False, "anna")
    assert gateway.state.document["claude-api-key"][0]["excluded-models"] == ["old-*"]


async def test_one_batch_answers_for_each_account_in_the_order_given(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    view = await inspector.listing.view(Selection(Source.API_KEY))
    alpha, beta = (await numbers(inspector))["alpha"], (await numbers(inspector))["beta"]
    pair = next(account.id for account in view.accounts if account.facts.compat_name == "pair")
    await set_disabled(inspector, [beta], True, "anna")
    made = await set_disabled(inspector, [pair, alpha, beta, alpha], True, "anna")
    assert [(action.account_id, action.outcome) for action in made] == [
        (pair, ActionOutcome.REFUSED),
        (alpha, ActionOutcome.APPLIED),
        (beta, ActionOutcome.UNCHANGED),
    ]
    assert "Already disabled" in made[2].text.text
    assert gateway.writes["openai-compatibility"] == 2


async def test_an_account_that_was_never_there_changes_nothing(inspector: Inspector, gateway: FakeGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    with pytest.raises(AccountUnknown, match=r"Unknown account: 77\."):
        await set_disabled(inspector, [alpha, 77], True, "anna")
    with pytest.raises(AccountUnknown):
        await delete_files(inspector, [77], "anna")
    assert await newest_actions(inspector) == ()
    assert not gateway.writes


async def test_an_account_that_left_the_pool_is_missing_and_stops_no_other(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    known = await numbers(inspector)
    gateway.state.replace_text(compat_config(["beta"]))
    made = await set_disabled(inspector, [known["alpha"], known["beta"]], True, "anna")
    assert [action.outcome for action in made] == [ActionOutcome.MISSING, ActionOutcome.APPLIED]


async def test_a_batch_of_nothing_is_nothing(inspector: Inspector, gateway: FakeGateway) -> None:
    assert await set_disabled(inspector, [], True, "ben") == ()
    assert await delete_files(inspector, [], "ben") == ()
    assert not gateway.writes


async def test_a_gateway_that_cannot_be_reached_is_a_failed_action(inspector: Inspector, gateway: FakeGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    gateway.fail("set_disabled", errors.Unavailable("It is starting."))
    (action,) = await set_disabled(inspector, [alpha], True, "anna")
    assert (action.outcome, action.text.text) == (ActionOutcome.FAILED, "It is starting.")
    assert action.after is not None
    assert action.after["enabled"] is True


async def test_lost_contact_is_settled_by_reading_not_by_sending_again(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    alpha = (await numbers(inspector))["alpha"]
    gateway.lose_contact()
    (action,) = await set_disabled(inspector, [alpha], True, "anna")
    assert action.outcome is ActionOutcome.APPLIED
    assert "verified" in action.text.text
    assert gateway.writes["openai-compatibility"] == 1


async def test_without_a_reading_afterwards_lost_contact_stays_uncertain(
    inspector: Inspector, gateway: WatchedGateway
) -> None:
    alpha = (await numbers(inspector))["alpha"]
    gateway.lose_contact()
    gateway.after = lambda: gateway.fail("accounts", errors.Unavailable("Gone."))
    (action,) = await set_disabled(inspector, [alpha], True, "anna")
    assert (action.outcome, action.after) == (ActionOutcome.UNCERTAIN, None)


async def test_an_intent_is_committed_before_anything_is_written(inspector: Inspector, gateway: WatchedGateway) -> None:
    seen: list[ActionOutcome] = []

    async def look() -> None:
        seen.extend(action.outcome for action in await newest_actions(inspector))

    gateway.before = look
    await set_disabled(inspector, [(await numbers(inspector))["alpha"]], True, "anna")
    kinds = [event.kind for event in await all_events(inspector)]
    assert seen == [ActionOutcome.PENDING]
    assert kinds.count(EventKind.ACTION) == 2


@pytest.mark.parametrize("written", [True, False])
async def test_what_a_dead_service_left_is_settled_by_reading_and_never_sent_again(
    tmp_path: Path, gateway: WatchedGateway, written: bool
) -> None:
    setattr(gateway, "after" if written else "before", died)
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        with pytest.raises(RuntimeError):
            await set_disabled(inspector, [alpha], True, "anna")
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.PENDING]
    async with opened(tmp_path, gateway) as inspector:
        (action,) = await newest_actions(inspector)
    assert gateway.sizes == [1]
    assert action.outcome is (ActionOutcome.APPLIED if written else ActionOutcome.FAILED)
    assert ("took over" if written else "not sent again") in action.text.text
    assert action.after is not None
    assert action.after["enabled"] is not written


async def test_what_was_left_is_settled_before_the_next_action_when_the_gateway_was_away(
    tmp_path: Path, gateway: WatchedGateway
) -> None:
    gateway.after = died
    async with opened(tmp_path, gateway) as inspector:
        known = await numbers(inspector)
        with pytest.raises(RuntimeError):
            await set_disabled(inspector, [known["alpha"]], True, "anna")
    gateway.fail("accounts", errors.Unavailable("It is starting."))
    del gateway.after
    async with opened(tmp_path, gateway) as inspector:
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.PENDING]
        await set_disabled(inspector, [known["beta"]], True, "anna")
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.APPLIED] * 2


async def test_an_action_goes_on_when_whoever_asked_for_it_goes_away(tmp_path: Path, gateway: WatchedGateway) -> None:
    gateway.before = gateway.wait_at_the_gate
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        asking = asyncio.ensure_future(set_disabled(inspector, [alpha], True, "anna"))
        await gateway.reached.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        gateway.gate.set()
    async with opened(tmp_path, gateway) as inspector:
        (action,) = await newest_actions(inspector)
    assert action.outcome is ActionOutcome.APPLIED
    assert "not sent" not in action.text.text


async def test_a_pool_that_cannot_be_read_lets_no_action_begin(inspector: Inspector, gateway: FakeGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    gateway.fail("accounts", errors.Unavailable("Away."))
    with pytest.raises(errors.Unavailable):
        await set_disabled(inspector, [alpha], True, "anna")
    assert await newest_actions(inspector) == ()
