import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from adapter.fake import FakeGateway
from adapter.port import Change, Outcome, errors
from extension.engine.inspector import Inspector
from extension.store.records import ActionOutcome, EventKind
from tests.extension.engine.scenario import all_events, compat_config, newest_actions, numbers, opened, set_disabled


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(compat_config(["alpha", "beta"]))


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
        (action,) = await set_disabled(inspector, [alpha], True, "anna")
        assert (action.outcome, action.after) == (ActionOutcome.UNCERTAIN, None)


async def test_an_intent_is_committed_before_anything_is_written(tmp_path: Path, gateway: FakeGateway) -> None:
    seen: list[ActionOutcome] = []

    class Watching(FakeGateway):
        async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
            seen.extend(action.outcome for action in await newest_actions(inspector))
            return await super().set_disabled(changes)

    async with opened(tmp_path, Watching(gateway.state.text)) as inspector:
        await set_disabled(inspector, [(await numbers(inspector))["alpha"]], True, "anna")
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
            await set_disabled(inspector, [alpha], True, "anna")
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.PENDING]
    async with opened(tmp_path, dying) as inspector:
        (action,) = await newest_actions(inspector)
    assert dying.sent == 1
    assert action.outcome is (ActionOutcome.APPLIED if written else ActionOutcome.FAILED)
    assert ("took over" if written else "not sent again") in action.text.text
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
            await set_disabled(inspector, [known["alpha"]], True, "anna")
    dying.fail("accounts", errors.Unavailable("It is starting."))
    dying.dying = False
    async with opened(tmp_path, dying) as inspector:
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.PENDING]
        await set_disabled(inspector, [known["beta"]], True, "anna")
        assert [action.outcome for action in await newest_actions(inspector)] == [ActionOutcome.APPLIED] * 2


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
        asking = asyncio.ensure_future(set_disabled(inspector, [alpha], True, "anna"))
        await slow.reached.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        slow.gate.set()
    async with opened(tmp_path, slow) as inspector:
        (action,) = await newest_actions(inspector)
    assert action.outcome is ActionOutcome.APPLIED
    assert "not sent" not in action.text.text


async def test_a_pool_that_cannot_be_read_lets_no_action_begin(inspector: Inspector, gateway: FakeGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    gateway.fail("accounts", errors.Unavailable("Away."))
    with pytest.raises(errors.Unavailable):
        await set_disabled(inspector, [alpha], True, "anna")
    assert await newest_actions(inspector) == ()
