"""Sign-ins of OAuth accounts: begun at the gateway, recorded, and judged by the file that it wrote."""

from pathlib import Path
from typing import Any

import pytest

from adapter.fake import FakeGateway
from adapter.port import SignInProgress, SignInState, errors
from adapter.privacy.secret import Secret
from extension.engine.actions.sign_in import CallbackUnfit, SignInRefused
from extension.engine.errors import UndoRefused
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Source
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import FILES, compat_config, newest_actions, numbers, opened, set_disabled

RENEWED = {**FILES["anna.json"], "access_token": "a new token of anna that is longer"}
OTHER = {"type": "codex", "email": "eve@example.org", "access_token": "a token of eve"}
CALLBACK = "http://localhost:1455/auth/callback?code=c0de-0123456789&state={state}"


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(compat_config(["alpha"]), {**FILES, "carl.json": {"type": "codex", "email": "carl@example.org"}})


def _bytes_below(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def anna_of(inspector: Inspector) -> int:
    return (await numbers(inspector, Source.OAUTH))["anna@example.org"]


@pytest.mark.parametrize(
    ("written", "outcome", "words"),
    [
        (("anna.json", RENEWED), ActionOutcome.APPLIED, "Signed in"),
        (("eve.json", OTHER), ActionOutcome.FAILED, "Another account signed in: the gateway wrote eve.json"),
        (("carl.json", OTHER), ActionOutcome.FAILED, "Another account signed in: the gateway wrote carl.json"),
        (("anna.json", FILES["anna.json"]), ActionOutcome.FAILED, "the file of this account is unchanged"),
    ],
)
async def test_the_file_that_the_gateway_wrote_decides_who_signed_in(
    inspector: Inspector, gateway: FakeGateway, written: tuple[str, dict[str, Any]], outcome: ActionOutcome, words: str
) -> None:
    anna = await anna_of(inspector)
    action, begun = await inspector.sign_ins.begin(anna, "ben")
    waits = await inspector.sign_ins.follow(action.id, begun.state)
    assert (waits.is_waiting, waits.action.outcome) == (True, ActionOutcome.UNCERTAIN)

    gateway.sign_ins.next_file = written
    callback = Secret(CALLBACK.format(state=begun.state.reveal()))
    result = await inspector.sign_ins.follow(action.id, begun.state, callback)

    assert (result.is_waiting, result.action.outcome) == (False, outcome)
    assert words in result.action.text.text
    assert (anna in result.accounts) is (outcome is ActionOutcome.APPLIED)
    assert (await inspector.sign_ins.follow(action.id, begun.state)).action == result.action
    (stored,) = await newest_actions(inspector)
    assert (stored.action, stored.actor, stored.account_id) == ("sign_in", "ben", anna)


async def test_neither_state_nor_code_of_a_sign_in_is_stored(
    inspector: Inspector, gateway: FakeGateway, tmp_path: Path
) -> None:
    action, begun = await inspector.sign_ins.begin(await anna_of(inspector), "ben")
    gateway.sign_ins.next_file = "anna.json", RENEWED
    callback = Secret(CALLBACK.format(state=begun.state.reveal()))
    await inspector.sign_ins.follow(action.id, begun.state, callback)
    stored = _bytes_below(tmp_path)
    assert b"c0de-0123456789" not in stored
    assert begun.state.reveal().encode() not in stored


@pytest.mark.parametrize(
    "address", ["not an address", "http://localhost/?code=1&state=of-another", "http://x/?state={0}"]
)
async def test_an_address_of_another_sign_in_is_not_handed_over(
    inspector: Inspector, gateway: FakeGateway, address: str
) -> None:
    action, begun = await inspector.sign_ins.begin(await anna_of(inspector), "ben")
    with pytest.raises(CallbackUnfit) as caught:
        await inspector.sign_ins.follow(action.id, begun.state, Secret(address.format(begun.state.reveal())))
    assert begun.state.reveal() not in str(caught.value)
    assert gateway.sign_ins.state(begun.state).progress is SignInProgress.WAITING


async def test_a_failure_and_a_cancellation_are_recorded_with_their_reason(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    anna = await anna_of(inspector)
    action, begun = await inspector.sign_ins.begin(anna, "ben")
    gateway.sign_ins.states[begun.state.reveal()] = SignInState(SignInProgress.FAILED, "Timeout waiting")
    failed = (await inspector.sign_ins.follow(action.id, begun.state)).action
    assert (failed.outcome, failed.text.text) == (ActionOutcome.FAILED, "The sign-in failed: Timeout waiting")

    action, begun = await inspector.sign_ins.begin(anna, "ben")
    canceled = await inspector.sign_ins.cancel(action.id, begun.state)
    assert (canceled.outcome, canceled.text.text) == (ActionOutcome.FAILED, "The sign-in was canceled.")
    assert begun.state.reveal() not in gateway.sign_ins.states


async def test_what_cannot_be_signed_in_leaves_no_record(inspector: Inspector, gateway: FakeGateway) -> None:
    with pytest.raises(SignInRefused):
        await inspector.sign_ins.begin((await numbers(inspector))["alpha"], "ben")
    gateway.fail("begin_sign_in", errors.Unavailable("away"))
    with pytest.raises(errors.Unavailable):
        await inspector.sign_ins.begin(await anna_of(inspector), "ben")
    assert await newest_actions(inspector) == ()
    with pytest.raises(SignInRefused):
        await inspector.sign_ins.follow(7, Secret("of nothing"))


async def test_a_sign_in_leaves_the_disable_before_it_standing(inspector: Inspector, gateway: FakeGateway) -> None:
    anna = await anna_of(inspector)
    (disabled,) = await set_disabled(inspector, [anna], True, "ben")
    action, begun = await inspector.sign_ins.begin(anna, "ben")
    gateway.sign_ins.next_file = "anna.json", {**RENEWED, "disabled": True}
    gateway.sign_ins.finish(begun.state)
    assert (await inspector.sign_ins.follow(action.id, begun.state)).action.outcome is ActionOutcome.APPLIED

    with pytest.raises(UndoRefused):
        await inspector.undo.of_actions([action.id], "ben")
    (undone,) = (await inspector.undo.of_actions([disabled.id], "ben")).actions
    assert undone.outcome is ActionOutcome.APPLIED


async def test_after_a_restart_a_sign_in_still_ends(gateway: FakeGateway, tmp_path: Path) -> None:
    async with opened(tmp_path, gateway) as inspector:
        action, begun = await inspector.sign_ins.begin(await anna_of(inspector), "ben")
    gateway.sign_ins.next_file = "anna.json", RENEWED
    gateway.sign_ins.finish(begun.state)
    async with opened(tmp_path, gateway) as inspector:
        assert (await inspector.sign_ins.follow(action.id, begun.state)).action.outcome is ActionOutcome.APPLIED
