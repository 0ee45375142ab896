import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gateway.internal.operations.calls import (
    CallAnswer,
    CallFailure,
    CallRequest,
    UnknownCredential,
    api_call,
    guard_for,
)
from gateway.internal.outbound.failure import FailureKind
from tests.loopback import Script, Upstream, answer, upstream
from tests.management.serving import Served, gateway, secured

KEY = "sk-secret-key-1"


def with_key(folder: Path, base_url: str) -> str:
    return secured(folder, f'claude-api-key:\n  - api-key: "{KEY}"\n    base-url: "{base_url}"\n')


@asynccontextmanager
async def calling(folder: Path, script: Script) -> AsyncIterator[tuple[Upstream, Served]]:
    """Run an upstream and a gateway that has one key for it."""
    async with upstream(script) as provider, gateway(folder, with_key(folder, provider.url)) as served:
        yield provider, served


async def test_an_answer_is_typed_and_timed(tmp_path: Path) -> None:
    async with calling(tmp_path, lambda _: answer(429, b"\xff!", retry_after="30")) as (provider, served):
        (credential,) = served.runtime.snapshot.credentials
        request = CallRequest("get", provider.url, credential.auth_index, {"x-api-key": "$TOKEN$"})
        got = await api_call(served.runtime, request)
    assert isinstance(got, CallAnswer)
    assert (got.status, got.body, got.text, got.header["Retry-After"]) == (429, b"\xff!", "\ufffd!", ("30",))
    assert got.elapsed >= 0
    assert provider.received[0].headers["x-api-key"] == KEY


async def test_cancelling_ends_the_call(tmp_path: Path) -> None:
    async with calling(tmp_path, lambda _: None) as (provider, served):
        task = asyncio.create_task(api_call(served.runtime, CallRequest("GET", provider.url)))
        await provider.waiting.wait()
        task.cancel()
        await asyncio.wait_for(provider.hung_up.wait(), 5)
    assert task.cancelled()


async def test_running_out_of_time_is_a_value_not_an_error(tmp_path: Path) -> None:
    async with calling(tmp_path, lambda _: None) as (provider, served):
        got = await api_call(served.runtime, CallRequest("GET", provider.url), timeout=0.02)
    assert isinstance(got, CallFailure)
    assert (got.kind, got.detail) == (FailureKind.TIMEOUT, "no answer within 0.02 s")


async def test_an_unknown_credential_is_an_error_before_anything_is_sent(tmp_path: Path) -> None:
    async with calling(tmp_path, lambda _: answer()) as (provider, served):
        with pytest.raises(UnknownCredential, match="auth not found"):
            await api_call(served.runtime, CallRequest("GET", provider.url, "0" * 16))
    assert provider.connections == 0


async def test_nothing_printed_shows_the_key(tmp_path: Path) -> None:
    async with calling(tmp_path, lambda _: b"") as (provider, served):
        (credential,) = served.runtime.snapshot.credentials
        url = f"{provider.url}/?key={KEY}"
        request = CallRequest("POST", url, credential.auth_index, {"Authorization": f"Bearer {KEY}"}, KEY)
        got = await api_call(served.runtime, request)
    assert isinstance(got, CallFailure)
    assert KEY not in repr(got) + repr(request) + repr(credential)


async def test_the_guard_follows_the_configuration(tmp_path: Path) -> None:
    async with gateway(tmp_path, with_key(tmp_path, "http://10.0.0.1:81/v1")) as served:
        runtime = served.runtime
        first = guard_for(runtime.configuration, runtime.snapshot)
        assert guard_for(runtime.configuration, runtime.snapshot) is first
        text = with_key(tmp_path, "http://10.0.0.2:82/v1") + 'api-call-allow: ["box.internal"]\n'
        await served.request("PUT", "/v0/management/config.yaml", data=text.encode())
        second = guard_for(runtime.configuration, runtime.snapshot)
    assert first.trusts("10.0.0.1", 81)
    assert second.trusts("10.0.0.2", 82)
    assert second.trusts("box.internal", 80)
    assert ("10.0.0.1", 81) not in second.places


async def test_the_proxy_of_a_disabled_entry_needs_no_permission_and_any_other_inner_one_does(tmp_path: Path) -> None:
    async with upstream(lambda _: answer()) as own, upstream(lambda _: answer()) as foreign:
        entry = f'api-key-entries:\n      - api-key: "{KEY}"\n        proxy-url: "{own.url}"\n'
        text = (
            f"openai-compatibility:\n  - name: dark\n    disabled: true\n    base-url: http://far.invalid\n    {entry}"
        )
        async with gateway(tmp_path, secured(tmp_path, text)) as served:
            far = "http://far.invalid/v1/models"
            through = await api_call(served.runtime, CallRequest("GET", far, proxy_url=f" {own.url} "))
            other = await api_call(served.runtime, CallRequest("GET", far, proxy_url=foreign.url))
            itself = await api_call(served.runtime, CallRequest("GET", f"{own.url}/v1/models"))
    assert isinstance(through, CallAnswer)
    assert [request.target for request in own.received] == [far]
    assert all(isinstance(one, CallFailure) and one.kind is FailureKind.BLOCKED for one in (other, itself))
    assert foreign.connections == 0
