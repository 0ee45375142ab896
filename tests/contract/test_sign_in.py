from urllib.parse import urlsplit

import pytest

from adapter.port import Capability, SignInProgress, errors
from adapter.privacy.secret import Secret
from tests.contract.stage import Stage, lacks

PROVIDER = "codex"


async def test_a_sign_in_waits_at_an_address_until_it_is_canceled(stage: Stage) -> None:
    if await lacks(stage, Capability.SIGN_IN):
        with pytest.raises(errors.Unsupported):
            await stage.gateway.begin_sign_in(PROVIDER)
        return
    begun = await stage.gateway.begin_sign_in(PROVIDER)
    assert urlsplit(begun.url.reveal()).scheme == "https"
    assert (await stage.gateway.sign_in_state(begun.state)).progress is SignInProgress.WAITING
    await stage.gateway.cancel_sign_in(begun.state)
    assert (await stage.gateway.sign_in_state(begun.state)).progress is SignInProgress.FAILED
    with pytest.raises(errors.NotFound):
        await stage.gateway.send_callback(begun.state, Secret(f"http://localhost/?code=1&state={begun.state.reveal()}"))


async def test_a_provider_that_the_gateway_does_not_sign_in_is_unsupported(stage: Stage) -> None:
    with pytest.raises(errors.Unsupported):
        await stage.gateway.begin_sign_in("a provider of another gateway")


async def test_a_sign_in_that_the_gateway_does_not_know_has_failed(stage: Stage) -> None:
    if not await lacks(stage, Capability.SIGN_IN):
        state = await stage.gateway.sign_in_state(Secret("unknown"))
        assert state.progress is SignInProgress.FAILED
        assert state.text
