import pytest

from adapter.fake import FakeGateway
from adapter.port import errors
from extension.engine.errors import DeleteRefused
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import (
    FILES,
    TWO_KEYS,
    compat_config,
    delete_files,
    key_of,
    newest_actions,
    numbers,
)


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(compat_config(["alpha", "beta"]) + TWO_KEYS, FILES)


async def test_a_file_of_an_oauth_account_is_deleted(inspector: Inspector, gateway: FakeGateway) -> None:
    anna = (await numbers(inspector, Source.OAUTH))["anna@example.org"]
    (action,) = await delete_files(inspector, [anna], "ben", "she left")
    assert (action.action, action.outcome, action.reason.text) == ("delete", ActionOutcome.APPLIED, "she left")
    assert action.after == {"present": False}
    assert list(gateway.state.files) == ["ben.json"]
    (again,) = await delete_files(inspector, [anna], "ben")
    assert again.outcome is ActionOutcome.MISSING


async def test_a_key_among_files_is_refused_and_nothing_is_deleted(inspector: Inspector, gateway: FakeGateway) -> None:
    alpha = (await numbers(inspector))["alpha"]
    files = list((await numbers(inspector, Source.OAUTH)).values())
    with pytest.raises(DeleteRefused, match="API keys are never deleted; nothing was deleted: alpha") as caught:
        await delete_files(inspector, [*files, alpha], "anna")
    assert caught.value.names == ("alpha",)
    assert await newest_actions(inspector) == ()
    assert len(gateway.state.files) == 2
    assert key_of("alpha") in gateway.state.text


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (errors.ConflictError("It changed."), ActionOutcome.CONFLICT),
        (errors.NotFound("Not there."), ActionOutcome.MISSING),
        (errors.Unavailable("Away."), ActionOutcome.FAILED),
        (errors.TimedOut("Too slow.", applied="maybe"), ActionOutcome.UNCERTAIN),
    ],
)
async def test_a_deletion_that_does_not_succeed_says_how(
    inspector: Inspector, gateway: FakeGateway, error: errors.GatewayError, outcome: ActionOutcome
) -> None:
    anna, ben = (await numbers(inspector, Source.OAUTH)).values()
    gateway.fail("delete_file", error)
    first, second = await delete_files(inspector, [anna, ben], "eve")
    assert first.outcome is outcome
    assert second.outcome is ActionOutcome.APPLIED
    assert len(gateway.state.files) == 1


SEVERAL_KEYS = (
    "The provider pair has 2 keys and one switch for all of them: manage it in the provider settings "
    "(openai-compatibility)."
)


async def test_the_view_says_what_can_be_deleted(inspector: Inspector) -> None:
    keys = (await inspector.listing.view(Selection(Source.API_KEY))).accounts
    files = (await inspector.listing.view(Selection(Source.OAUTH))).accounts
    assert {key.deletable for key in keys} == {False}
    assert {(file.deletable, file.facts.family) for file in files} == {(True, "")}
    assert [(key.switch, key.switch_refusal.text) for key in keys if key.facts.compat_name == "pair"] == [
        ("none", SEVERAL_KEYS)
    ] * 2
