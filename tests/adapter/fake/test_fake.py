from collections.abc import Awaitable, Callable

import pytest

from adapter.fake import FakeConnection, FakeGateway, UpstreamRequest, by_url, reply, silent
from adapter.port import (
    QUALITIES,
    AdmissionAttempt,
    Answer,
    Capability,
    Change,
    FileRef,
    NoAnswer,
    OutboundCall,
    Revision,
    Section,
    Uncertain,
    Unchanged,
    errors,
)
from adapter.privacy.secret import Secret

TEXT = "claude-api-key: [{api-key: sk-1234567890, base-url: 'http://x'}]"
NOBODY = FileRef("nobody.json")
ANY = Revision("any")


async def test_a_script_decides_what_the_upstream_of_one_account_answers() -> None:
    gateway = FakeGateway(TEXT)
    (account,) = (await gateway.accounts()).accounts
    gateway.script(account.ref, by_url({r"GET .*/models$": reply(401, "no"), "/chat": silent()}))
    models = await gateway.call(OutboundCall(account.ref, "GET", "http://x/models"), timeout=1)
    chat = await gateway.call(OutboundCall(account.ref, "POST", "http://x/chat"), timeout=1)
    other = await gateway.call(OutboundCall(account.ref, "GET", "http://x/other"), timeout=1)
    assert isinstance(models, Answer)
    assert isinstance(chat, NoAnswer)
    assert isinstance(other, Answer)
    assert (models.status, other.status) == (401, 404)
    assert [call.method for call in gateway.calls] == ["GET", "POST", "GET"]


async def test_a_script_may_raise_what_a_gateway_would() -> None:
    def broken(request: UpstreamRequest) -> Answer:
        raise errors.Unavailable(f"cannot ask {request.url}")

    gateway = FakeGateway(TEXT)
    (account,) = (await gateway.accounts()).accounts
    gateway.script(account.ref, broken)
    with pytest.raises(errors.Unavailable):
        await gateway.call(OutboundCall(account.ref, "GET", "http://x/models"), timeout=1)


async def test_a_verb_fails_as_often_as_it_was_told_to() -> None:
    gateway = FakeGateway(TEXT)
    gateway.fail("accounts", errors.Unauthorised("the key is refused"), errors.TimedOut("too slow"))
    with pytest.raises(errors.Unauthorised):
        await gateway.accounts()
    with pytest.raises(errors.TimedOut):
        await gateway.accounts()
    assert len((await gateway.accounts()).accounts) == 1


async def test_lost_contact_leaves_a_change_uncertain_and_a_new_listing_settles_it() -> None:
    gateway = FakeGateway(TEXT)
    (account,) = (await gateway.accounts()).accounts
    gateway.lose_contact()
    (outcome,) = await gateway.set_disabled([Change(account.ref, disabled=True)])
    assert isinstance(outcome, Uncertain)
    assert (await gateway.accounts()).accounts[0].enabled is False
    assert await gateway.set_disabled([Change(account.ref, disabled=True)]) == (Unchanged(),)
    assert dict(gateway.writes) == {"claude-api-key": 1}


@pytest.mark.parametrize("missing", sorted(set(Capability) - {*QUALITIES, Capability.USAGE}))
async def test_a_capability_taken_away_makes_its_verb_unsupported(missing: Capability) -> None:
    gateway = FakeGateway(TEXT, capabilities=frozenset(Capability) - {missing, Capability.USAGE})
    verbs: dict[Capability, Callable[[], Awaitable[object]]] = {
        Capability.SET_DISABLED: lambda: gateway.set_disabled([]),
        Capability.DELETE_FILE: lambda: gateway.delete_file(NOBODY, ANY),
        Capability.RESTORE_FILE: lambda: gateway.restore_file(NOBODY, Secret("{}")),
        Capability.CALL: lambda: gateway.call(OutboundCall(NOBODY, "GET", "http://x"), timeout=1),
        Capability.CONFIGURATION: gateway.configuration,
        Capability.PROXY_URL: gateway.proxy_url,
        Capability.USAGE_SUBSCRIPTION: gateway.subscribe_usage,
        Capability.REPLACE_SECTION: lambda: gateway.replace_section(Section.CLAUDE, [], ANY),
        Capability.CLIENT_KEYS: gateway.client_keys,
        Capability.SIGN_IN: lambda: gateway.begin_sign_in("codex"),
        Capability.ADMISSION: lambda: gateway.admit(AdmissionAttempt(None, "127.0.0.1")),
    }
    with pytest.raises(errors.Unsupported) as caught:
        await verbs[missing]()
    assert caught.value.capability is missing
    assert missing.value in str(caught.value)


async def test_a_gateway_made_for_a_test_needs_no_binding_and_takes_one() -> None:
    gateway = FakeGateway(TEXT)
    before = (await gateway.accounts()).accounts[0].fingerprint
    FakeConnection(gateway).bind(b"k" * 32)
    assert (await gateway.accounts()).accounts[0].fingerprint != before


async def test_a_call_does_not_read_the_configuration_again_and_a_change_does() -> None:
    gateway = FakeGateway(TEXT)
    (account,) = (await gateway.accounts()).accounts
    first = gateway.state.find(account.ref, gateway._binding.fingerprints())
    await gateway.call(OutboundCall(account.ref, "GET", "http://x/models"), timeout=1)
    assert gateway.state.find(account.ref, gateway._binding.fingerprints()) is first
    await gateway.set_disabled([Change(account.ref, disabled=True)])
    (after,) = (await gateway.accounts()).accounts
    assert after.enabled is False
