from pathlib import Path

from gateway.internal.operations.admission import Admitted, Denied, admit, management_available
from tests.management.serving import KEY, gateway, secured


async def test_a_caller_is_let_in_without_http(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        decision = await admit(served.runtime, {"AUTHORIZATION": f"Bearer {KEY}"}, "::ffff:127.0.0.1")
    assert decision == Admitted("127.0.0.1")


async def test_failures_of_every_door_are_counted_together(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        for _ in range(3):
            await served.request("GET", "/v0/management/debug", headers={"X-Management-Key": "wrong"})
        for _ in range(2):
            await admit(served.runtime, {"x-management-key": "wrong"}, "127.0.0.1")
        over_http = await served.request("GET", "/v0/management/debug")
        decision = await admit(served.runtime, {"x-management-key": KEY}, "127.0.0.1")
    assert over_http.status == 403
    assert isinstance(decision, Denied)
    assert (decision.status, decision.retry_after) == (403, 1800)


async def test_without_a_secret_there_is_no_door(tmp_path: Path) -> None:
    async with gateway(tmp_path, f'auth-dir: "{tmp_path}/auths"\n') as served:
        assert not management_available(served.runtime)
        assert await admit(served.runtime, {}, "127.0.0.1") == Denied(404, {})


async def test_what_is_no_proxy_is_not_trusted(tmp_path: Path) -> None:
    text = secured(tmp_path, "trusted-proxies: [127.0.0.1, somewhere, 7.5]\n")
    async with gateway(tmp_path, text) as served:
        headers = {"x-management-key": KEY, "x-forwarded-for": "192.0.2.1"}
        assert isinstance(await admit(served.runtime, headers, "127.0.0.1"), Denied)
        assert isinstance(await admit(served.runtime, headers | {"x-forwarded-for": "::1"}, "127.0.0.1"), Admitted)
