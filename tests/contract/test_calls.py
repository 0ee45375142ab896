import asyncio
import dataclasses

import pytest

from adapter.port import (
    BODY_LIMIT,
    TOKEN_PLACEHOLDER,
    Account,
    Answer,
    Capability,
    Change,
    FileRef,
    KeyRef,
    NoAnswer,
    NoAnswerKind,
    OutboundCall,
    Section,
    errors,
)
from adapter.port.permission import PERMISSION
from tests.contract.fake_stage import FakeStage
from tests.contract.pool import DEAD_ADDRESS, compat, file_of, key_of
from tests.contract.provider import Provider, ProviderServer
from tests.contract.stage import Stage, lacks

BEARER = {"Authorization": f"Bearer {TOKEN_PLACEHOLDER}"}


async def _solo(stage: Stage) -> Account:
    return compat(await stage.gateway.accounts(), "solo")


async def _get(stage: Stage, account: Account, path: str, seconds: float = 20) -> Answer | NoAnswer:
    request = OutboundCall(account.ref, "get", f"{stage.address}{path}", BEARER)
    return await stage.gateway.call(request, timeout=seconds)


async def _answered(stage: Stage, account: Account, path: str) -> Answer:
    answer = await _get(stage, account, path)
    assert isinstance(answer, Answer)
    return answer


async def test_the_placeholder_is_replaced_by_the_key_of_the_account(stage: Stage) -> None:
    answer = await _answered(stage, await _solo(stage), "/v1/models")
    assert (answer.status, answer.body, answer.truncated) == (200, '{"object":"list","data":[]}', False)
    assert answer.elapsed >= 0
    (received,) = stage.provider.received
    assert (received.method, received.path) == ("GET", "/v1/models")
    assert received.header["authorization"] == "Bearer sk-solo-key-1111"


async def test_a_file_is_called_with_its_token(stage: Stage) -> None:
    account = file_of(await stage.gateway.accounts(), "claude-a@b.c.json")
    request = OutboundCall(account.ref, "POST", f"{stage.address}/v1/messages", {"x-api-key": TOKEN_PLACEHOLDER}, "{}")
    answer = await stage.gateway.call(request, timeout=20)
    assert isinstance(answer, Answer)
    assert stage.provider.received[0].header["x-api-key"] == "token-of-a-1111"
    assert stage.provider.received[0].body == "{}"


async def test_the_placeholder_is_replaced_in_header_values_only(stage: Stage) -> None:
    account = await _solo(stage)
    await stage.gateway.call(
        OutboundCall(account.ref, "POST", f"{stage.address}/v1/chat", BEARER, f'"{TOKEN_PLACEHOLDER}"'), timeout=20
    )
    assert stage.provider.received[0].body == f'"{TOKEN_PLACEHOLDER}"'


def _with_headers(text: str) -> str:
    headers = {"X-Tenant": "blue", "authorization": "Token tenant-secret-1111", "X-Caller": "$X-Request-Id"}
    lines = "".join(["    headers:\n", *(f"      {name}: {value}\n" for name, value in headers.items())])
    return text.replace('  - name: "solo" # one key\n', f'  - name: "solo" # one key\n{lines}')


async def test_the_headers_of_an_entry_are_sent_and_replace_others_as_with_its_traffic(stage: Stage) -> None:
    await stage.edit(_with_headers)
    answer = await _answered(stage, await _solo(stage), "/echo")

    (received,) = stage.provider.received
    assert received.header["x-tenant"] == "blue"
    assert received.header["authorization"] == "Token tenant-secret-1111"
    assert "x-caller" not in received.header
    assert "tenant-secret-1111" not in f"{answer!r}{dataclasses.asdict(answer)}"


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500])
async def test_an_upstream_that_answers_has_answered_whatever_it_says(stage: Stage, status: int) -> None:
    answer = await _answered(stage, await _solo(stage), f"/status/{status}")
    assert answer.status == status
    assert answer.header_value("retry-after") == "7"
    assert len(stage.provider.received) == 1


async def test_a_credential_the_upstream_echoes_does_not_come_back(stage: Stage) -> None:
    answer = await _answered(stage, await _solo(stage), "/echo")
    assert stage.provider.received[0].header["authorization"].endswith("sk-solo-key-1111")
    assert "Incorrect API key provided" in answer.body
    assert "sk-solo-key-1111" not in f"{answer!r}{dataclasses.asdict(answer)}"


async def test_a_body_is_bounded_and_says_so(stage: Stage) -> None:
    answer = await _answered(stage, await _solo(stage), "/large")
    assert answer.status == 200
    assert answer.truncated
    assert len(answer.body) == BODY_LIMIT


async def test_bytes_that_are_no_text_become_replacement_characters(stage: Stage) -> None:
    answer = await _answered(stage, await _solo(stage), "/bytes")
    assert answer.body == "\ufffd\ufffd ok"


async def test_a_timeout_is_no_answer(stage: Stage) -> None:
    answer = await _get(stage, await _solo(stage), "/hang", seconds=0.2)
    assert isinstance(answer, NoAnswer)
    assert answer.kind is NoAnswerKind.TIMEOUT


async def test_a_closed_connection_is_no_answer(stage: Stage) -> None:
    answer = await _get(stage, await _solo(stage), "/close")
    assert isinstance(answer, NoAnswer)
    assert answer.kind is await _kind(stage, NoAnswerKind.CONNECT, Capability.EXPLAINED_FAILURES)


async def _kind(stage: Stage, kind: NoAnswerKind, needs: Capability) -> NoAnswerKind:
    """The kind to expect; a gateway that cannot tell says `unknown`."""
    return NoAnswerKind.UNKNOWN if await lacks(stage, needs) else kind


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_call_is_sent_once_and_never_again(stage: Stage, method: str) -> None:
    account = await _solo(stage)
    answer = await stage.gateway.call(OutboundCall(account.ref, method, f"{stage.address}/close", BEARER), timeout=20)
    assert isinstance(answer, NoAnswer)
    assert len(stage.provider.received) == 1


async def test_an_address_where_nobody_listens_is_no_answer(stage: Stage) -> None:
    account = compat(await stage.gateway.accounts(), "dead")
    request = OutboundCall(account.ref, "GET", f"{DEAD_ADDRESS}/models", BEARER)
    answer = await stage.gateway.call(request, timeout=20)
    assert isinstance(answer, NoAnswer)
    assert answer.kind is await _kind(stage, NoAnswerKind.CONNECT, Capability.EXPLAINED_FAILURES)
    assert answer.detail


async def test_an_address_of_the_own_network_that_no_entry_names_is_blocked(stage: Stage) -> None:
    request = OutboundCall((await _solo(stage)).ref, "GET", "http://127.0.0.1:1/models", BEARER)
    answer = await stage.gateway.call(request, timeout=20)
    assert isinstance(answer, NoAnswer)
    assert answer.kind is await _kind(stage, NoAnswerKind.BLOCKED, Capability.GUARDED_CALLS)


async def test_cancelling_cancels_the_upstream(stage: Stage) -> None:
    account = await _solo(stage)
    task = asyncio.create_task(_hang(stage, account))
    await stage.provider.hanging.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(stage.provider.abandoned.wait(), 10)


async def _hang(stage: Stage, account: Account) -> None:
    await _get(stage, account, "/hang")


@pytest.mark.parametrize(
    "ref", [KeyRef(Section.CLAUDE, "claude:apikey:000000000000"), FileRef("nobody.json")], ids=["key", "file"]
)
async def test_a_call_for_nobody_is_not_sent(stage: Stage, ref: KeyRef | FileRef) -> None:
    with pytest.raises(errors.UnknownCredential):
        await stage.gateway.call(OutboundCall(ref, "GET", f"{stage.address}/v1/models", BEARER), timeout=20)
    assert stage.provider.received == []


async def test_a_detached_account_is_called_with_the_key_of_its_entry_which_is_never_echoed(stage: Stage) -> None:
    account = compat(await stage.gateway.accounts(), "dark")
    assert account.detached
    answer = await _answered(stage, account, "/echo")
    assert stage.provider.received[0].header["authorization"] == "Bearer sk-dark-key-1111"
    assert (answer.status, "sk-dark-key-1111" in str(answer)) == (401, False)


async def _behind(stage: Stage, proxy: str) -> Account:
    """Give the key of a provider that is switched off a proxy; return its account."""
    if isinstance(stage, FakeStage):
        pytest.skip("nothing of the fake gateway is sent over a network")
    key = '- api-key: "sk-dark-key-1111"'
    await stage.edit(lambda text: text.replace(key, f"{key}\n        proxy-url: {proxy}"))
    account = compat(await stage.gateway.accounts(), "dark")
    if not account.detached:
        pytest.skip("this release cannot name a proxy in a call, so that such a key is not checked")
    return account


async def test_a_detached_account_is_called_through_its_own_proxy(stage: Stage) -> None:
    account = await _behind(stage, stage.address)
    request = OutboundCall(account.ref, "get", f"{DEAD_ADDRESS}/v1/models", BEARER)
    answer = await stage.gateway.call(request, timeout=20)
    assert isinstance(answer, Answer)
    assert stage.provider.received[0].header["authorization"] == "Bearer sk-dark-key-1111"


async def test_the_private_proxy_of_a_detached_account_needs_no_permission(stage: Stage) -> None:
    proxy = Provider()
    server = ProviderServer(proxy)
    try:
        await _answered(stage, await _behind(stage, await server.start()), "/v1/models")
    finally:
        await server.stop()
    assert [request.header["authorization"] for request in proxy.received] == ["Bearer sk-dark-key-1111"]
    assert stage.provider.received == []


async def test_a_disabled_key_can_be_called_so_that_it_can_prove_itself(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE, 2)
    await _answered(stage, account, "/v1/models")
    assert stage.provider.received[0].header["authorization"] == "Bearer sk-claude-off-3333"


async def test_a_call_follows_an_account_that_was_switched(stage: Stage) -> None:
    account = compat(await stage.gateway.accounts(), "dark")
    await stage.gateway.set_disabled([Change(account.ref, disabled=False)])
    await _answered(stage, compat(await stage.gateway.accounts(), "dark"), "/v1/models")
    assert stage.provider.received[0].header["authorization"] == "Bearer sk-dark-key-1111"


async def test_an_account_without_a_credential_to_send_is_a_rejected_call(stage: Stage) -> None:
    account = compat(await stage.gateway.accounts(), "local")
    with pytest.raises(errors.Rejected) as caught:
        await _get(stage, account, "/local/v1/models")
    assert caught.value.applied == "no"
    assert stage.provider.received == []


@pytest.mark.parametrize(("method", "url"), [("", "/v1/models"), ("GET", None)], ids=["no method", "no address"])
async def test_a_call_that_is_no_request_is_rejected(stage: Stage, method: str, url: str | None) -> None:
    account = await _solo(stage)
    request = OutboundCall(account.ref, method, f"{stage.address}{url}" if url else "not an address", BEARER)
    with pytest.raises(errors.Rejected):
        await stage.gateway.call(request, timeout=20)
    assert stage.provider.received == []


async def test_work_without_permission_sends_nothing(stage: Stage) -> None:
    account = await _solo(stage)
    PERMISSION.set(lambda: False)
    with pytest.raises(errors.NotOwned, match="Nothing was sent"):
        await _get(stage, account, "/v1/models")
    assert stage.provider.received == []
