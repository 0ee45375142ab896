import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, reply
from adapter.port import Change, Outcome, errors
from extension.engine.errors import AccountUnknown, DeleteRefused
from extension.inspection.accounts import Source
from extension.store.records import ActionOutcome, ActorKind, EventKind
from tests.extension.engine.scenario import (
    FILES,
    all_events,
    compat_config,
    ended,
    key_of,
    numbers,
    opened,
    refs,
    settings,
)

VENDOR_B = """claude-api-key:
  - api-key: sk-ant-vendor-b-key-1
    base-url: http://b.example
    excluded-models: [old-*]
"""
TWO_KEYS = """  - name: pair
    base-url: http://pair.example
    api-key-entries:
      - api-key: sk-pair-one-0123456789
      - api-key: sk-pair-two-0123456789
"""


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(compat_config(["alpha", "beta"]) + TWO_KEYS + VENDOR_B, FILES)


async def test_a_disabled_account_is_recorded_with_who_why_evidence_and_both_states(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    gateway.script((await refs(gateway))["alpha"], reply(401))
    async with opened(tmp_path, gateway) as inspector:
        run = await ended(inspector, (await inspector.start(settings(), "anna")).id)
        alpha = (await numbers(inspector))["alpha"]
        (action,) = await inspector.set_disabled([alpha], True, "anna", "its key was revoked")
        assert (action.account_id, action.action, action.outcome) == (alpha, "disable", ActionOutcome.APPLIED)
        assert (action.actor, action.actor_kind, action.reason) == ("anna", ActorKind.PERSON, "its key was revoked")
        assert action.run_id == run.id
        assert (action.evidence["verdict"], action.evidence["status"]) == ("unauthorised", 401)
        assert action.before["enabled"] is True
        assert action.after is not None
        assert action.after["enabled"] is False
        assert action.settled_at is not None
        assert await inspector.actions() == (action,)


async def test_a_disabled_compatible_provider_hides_but_stays_counted_and_can_be_enabled(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        await inspector.set_disabled([alpha], True, "anna", "dead")
        view = await inspector.pool(Source.API_KEY)
        (account,) = [account for account in view.accounts if account.id == alpha]
        assert (account.enabled, account.listed, account.probeable) == (False, False, False)
        assert account.disabled_by is not None
        assert (account.disabled_by.kind, account.disabled_by.actor, account.disabled_by.reason) == (
            ActorKind.PERSON,
            "anna",
            "dead",
        )
        assert (view.statistics.total, view.statistics.enabled, view.statistics.disabled) == (5, 4, 1)
        (action,) = await inspector.set_disabled([alpha], False, "ben")
        assert (action.action, action.outcome) == ("enable", ActionOutcome.APPLIED)
        (account,) = [each for each in (await inspector.pool(Source.API_KEY)).accounts if each.id == alpha]
        assert (account.enabled, account.listed, account.disabled_by) == (True, True, None)


async def test_patterns_of_an_entry_survive_and_are_recorded(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        (vendor_b,) = [a.id for a in (await inspector.pool(Source.API_KEY)).accounts if a.family == "vendor-b-apikey"]
        (action,) = await inspector.set_disabled([vendor_b], True, "anna")
        assert action.before["written"][0]["excludedModels"] == ["old-*"]
        assert gateway.state.document["claude-api-key"][0]["excluded-models"] == ["old-*", "*"]
        await inspector.set_disabled([vendor_b], False, "anna")
        assert gateway.state.document["claude-api-key"][0]["excluded-models"] == ["old-*"]


async def test_one_batch_answers_for_each_account_in_the_order_given(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        view = await inspector.pool(Source.API_KEY)
        alpha, beta = (await numbers(inspector))["alpha"], (await numbers(inspector))["beta"]
        pair = next(account.id for account in view.accounts if account.compat_name == "pair")
        await inspector.set_disabled([beta], True, "anna")
        made = await inspector.set_disabled([pair, alpha, beta, alpha], True, "anna")
        assert [(action.account_id, action.outcome) for action in made] == [
            (pair, ActionOutcome.REFUSED),
            (alpha, ActionOutcome.APPLIED),
            (beta, ActionOutcome.UNCHANGED),
        ]
        assert "disabled already" in made[2].text
        assert gateway.writes["openai-compatibility"] == 2


async def test_an_account_that_was_never_there_changes_nothing(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        with pytest.raises(AccountUnknown, match=r"Unknown account: 77\."):
            await inspector.set_disabled([alpha, 77], True, "anna")
        with pytest.raises(AccountUnknown):
            await inspector.delete_files([77], "anna")
        assert await inspector.actions() == ()
    assert not gateway.writes


async def test_an_account_that_left_the_pool_is_missing_and_stops_no_other(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    async with opened(tmp_path, gateway) as inspector:
        known = await numbers(inspector)
        gateway.state.replace_text(compat_config(["beta"]))
        made = await inspector.set_disabled([known["alpha"], known["beta"]], True, "anna")
        assert [action.outcome for action in made] == [ActionOutcome.MISSING, ActionOutcome.APPLIED]


async def test_a_gateway_that_cannot_be_reached_is_a_failed_action(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        gateway.fail("set_disabled", errors.Unavailable("It is starting."))
        (action,) = await inspector.set_disabled([alpha], True, "anna")
        assert (action.outcome, action.text) == (ActionOutcome.FAILED, "It is starting.")
        assert action.after is not None
        assert action.after["enabled"] is True


async def test_lost_contact_is_settled_by_reading_not_by_sending_again(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        gateway.lose_contact()
        (action,) = await inspector.set_disabled([alpha], True, "anna")
        assert action.outcome is ActionOutcome.APPLIED
        assert "read back" in action.text
        assert gateway.writes["openai-compatibility"] == 1


async def test_without_a_reading_afterwards_lost_contact_stays_uncertain(tmp_path: Path, gateway: FakeGateway) -> None:
    class Blind(FakeGateway):
        async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
            outcomes = await super().set_disabled(changes)
            self.fail("accounts", errors.Unavailable("Gone."))
            return outcomes

    blind = Blind(gateway.state.text)
    async with opened(tmp_path, blind) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        blind.lose_contact()
        (action,) = await inspector.set_disabled([alpha], True, "anna")
        assert (action.outcome, action.after) == (ActionOutcome.UNCERTAIN, None)


async def test_an_intent_is_committed_before_anything_is_written(tmp_path: Path, gateway: FakeGateway) -> None:
    seen: list[ActionOutcome] = []

    class Watching(FakeGateway):
        async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
            seen.extend(action.outcome for action in await inspector.actions())
            return await super().set_disabled(changes)

    async with opened(tmp_path, Watching(gateway.state.text)) as inspector:
        await inspector.set_disabled([(await numbers(inspector))["alpha"]], True, "anna")
        kinds = [event.kind for event in await all_events(inspector)]
    assert seen == [ActionOutcome.PENDING]
    assert kinds.count(EventKind.ACTION) == 2


@pytest.mark.parametrize("written", [True, False])
async def test_what_a_dead_service_left_is_settled_by_reading_and_never_sent_again(
    tmp_path: Path, gateway: FakeGateway, written: bool
) -> None:
    class Dying(FakeGateway):
        sent = 0

        async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
            self.sent += 1
            if written:
                await super().set_disabled(changes)
            raise RuntimeError("the process ends here")

    dying = Dying(gateway.state.text)
    async with opened(tmp_path, dying) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        with pytest.raises(RuntimeError):
            await inspector.set_disabled([alpha], True, "anna")
        assert [action.outcome for action in await inspector.actions()] == [ActionOutcome.PENDING]
    async with opened(tmp_path, dying) as inspector:
        (action,) = await inspector.actions()
    assert dying.sent == 1
    assert action.outcome is (ActionOutcome.APPLIED if written else ActionOutcome.FAILED)
    assert "restart" in action.text or "not sent again" in action.text
    assert action.after is not None
    assert action.after["enabled"] is not written


async def test_what_was_left_is_settled_before_the_next_action_when_the_gateway_was_away(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    class Dying(FakeGateway):
        dying = True

        async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
            outcomes = await super().set_disabled(changes)
            if self.dying:
                raise RuntimeError("the process ends here")
            return outcomes

    dying = Dying(gateway.state.text)
    async with opened(tmp_path, dying) as inspector:
        known = await numbers(inspector)
        with pytest.raises(RuntimeError):
            await inspector.set_disabled([known["alpha"]], True, "anna")
    dying.fail("accounts", errors.Unavailable("It is starting."))
    dying.dying = False
    async with opened(tmp_path, dying) as inspector:
        assert [action.outcome for action in await inspector.actions()] == [ActionOutcome.PENDING]
        await inspector.set_disabled([known["beta"]], True, "anna")
        assert [action.outcome for action in await inspector.actions()] == [ActionOutcome.APPLIED] * 2


async def test_an_action_goes_on_when_whoever_asked_for_it_goes_away(tmp_path: Path, gateway: FakeGateway) -> None:
    class Slow(FakeGateway):
        def __init__(self, text: str) -> None:
            super().__init__(text)
            self.reached, self.gate = asyncio.Event(), asyncio.Event()

        async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
            self.reached.set()
            await self.gate.wait()
            return await super().set_disabled(changes)

    slow = Slow(gateway.state.text)
    async with opened(tmp_path, slow) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        asking = asyncio.ensure_future(inspector.set_disabled([alpha], True, "anna"))
        await slow.reached.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        slow.gate.set()
    async with opened(tmp_path, slow) as inspector:
        (action,) = await inspector.actions()
    assert action.outcome is ActionOutcome.APPLIED
    assert "not sent" not in action.text


async def test_a_key_in_two_places_is_switched_in_both(tmp_path: Path) -> None:
    twice = "claude-api-key:\n" + "  - api-key: sk-twin-0123456789\n    base-url: http://twin.example\n" * 2
    gateway = FakeGateway(twice)
    async with opened(tmp_path, gateway) as inspector:
        (account,) = (await inspector.pool(Source.API_KEY)).accounts
        (action,) = await inspector.set_disabled([account.id], True, "anna")
        assert action.outcome is ActionOutcome.APPLIED
        assert action.text.startswith("2 of its 2 entries")
        assert [entry["excluded-models"] for entry in gateway.state.document["claude-api-key"]] == [["*"], ["*"]]


async def test_a_file_of_an_oauth_account_is_deleted(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        anna = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
        (action,) = await inspector.delete_files([anna], "ben", "she left")
        assert (action.action, action.outcome, action.reason) == ("delete", ActionOutcome.APPLIED, "she left")
        assert action.after == {"present": False}
        assert list(gateway.state.files) == ["ben.json"]
        (again,) = await inspector.delete_files([anna], "ben")
        assert again.outcome is ActionOutcome.MISSING


async def test_a_key_among_files_is_refused_and_nothing_is_deleted(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        files = list((await numbers(inspector, Source.OAUTH)).values())
        with pytest.raises(DeleteRefused, match="API keys are never deleted, and nothing was: alpha") as caught:
            await inspector.delete_files([*files, alpha], "anna")
        assert caught.value.names == ("alpha",)
        assert await inspector.actions() == ()
    assert len(gateway.state.files) == 2
    assert key_of("alpha") in gateway.state.text


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (errors.Conflict("It changed."), ActionOutcome.CONFLICT),
        (errors.NotFound("Not there."), ActionOutcome.MISSING),
        (errors.Unavailable("Away."), ActionOutcome.FAILED),
        (errors.TimedOut("Too slow.", applied="maybe"), ActionOutcome.UNCERTAIN),
    ],
)
async def test_a_deletion_that_does_not_succeed_says_how(
    tmp_path: Path, gateway: FakeGateway, error: errors.GatewayError, outcome: ActionOutcome
) -> None:
    async with opened(tmp_path, gateway) as inspector:
        anna, ben = (await numbers(inspector, Source.OAUTH)).values()
        gateway.fail("delete_file", error)
        first, second = await inspector.delete_files([anna, ben], "eve")
    assert first.outcome is outcome
    assert second.outcome is ActionOutcome.APPLIED
    assert len(gateway.state.files) == 1


async def test_a_pool_that_cannot_be_read_lets_no_action_begin(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        alpha = (await numbers(inspector))["alpha"]
        gateway.fail("accounts", errors.Unavailable("Away."))
        with pytest.raises(errors.Unavailable):
            await inspector.set_disabled([alpha], True, "anna")
        assert await inspector.actions() == ()


async def test_the_view_says_what_can_be_deleted_and_why_not(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        keys = (await inspector.pool(Source.API_KEY)).accounts
        files = (await inspector.pool(Source.OAUTH)).accounts
    assert {(key.deletable, key.delete_reason) for key in keys} == {
        (False, "API keys are never deleted; disable it instead.")
    }
    assert {(file.deletable, file.delete_reason, file.family) for file in files} == {(True, "", "")}
    assert [(key.switch, bool(key.switch_reason)) for key in keys if key.compat_name == "pair"] == [("none", True)] * 2
