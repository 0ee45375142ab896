"""Places and times in which a session is of no use, or still is."""

from pathlib import Path

import aiohttp
import pytest
from starlette.requests import HTTPConnection

from adapter.fake import FakeGateway
from extension.api.auth.sessions import SecureCookies
from tests.extension.running_service import CSRF, FILES, KEY, OWN, Running, running

SESSION = f"{OWN}/info/session"


def cookies_of(service: Running) -> dict[str, str]:
    return {cookie.key: cookie.value for cookie in service.browser.cookie_jar}


async def test_a_cookie_of_another_service_on_this_host_hides_no_session(service: Running) -> None:
    await service.log_in()
    token = cookies_of(service)["poolkeeper_session"]
    for cookies in (f"poolkeeper_session=planted; poolkeeper_session={token}", f"poolkeeper_session={token}; a=b"):
        async with aiohttp.request("GET", f"{service.address}{OWN}/info", headers={"Cookie": cookies}) as answer:
            assert answer.status == 200


async def test_a_session_of_this_machine_is_of_no_use_from_another_one(service: Running) -> None:
    await service.log_in()
    connector = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0))
    async with aiohttp.ClientSession(connector=connector, cookies=cookies_of(service)) as elsewhere:
        async with elsewhere.get(f"{service.address}{OWN}/info") as answer:
            assert (answer.status, (await answer.json())["code"]) == (403, "forbidden")
        text = service.gateway.state.text
        service.gateway.state.replace_text(text.replace("management:", "management:\n  allow-remote: true"))
        async with elsewhere.get(f"{service.address}{OWN}/info") as answer:
            assert answer.status == 200


async def test_a_session_survives_a_restart_of_the_service(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as service:
        headers = await service.log_in()
        cookies = cookies_of(service)
    async with (
        running(tmp_path / "data") as service,
        aiohttp.request("GET", f"{service.address}{SESSION}", cookies=cookies) as answer,
    ):
        assert (await answer.json())["csrf"] == headers[CSRF]


async def test_a_session_does_not_survive_a_change_of_the_key_in_the_environment(tmp_path: Path) -> None:
    async with running(tmp_path / "data", FakeGateway("", FILES), MANAGEMENT_PASSWORD=KEY) as service:
        await service.log_in()
        cookies = cookies_of(service)
    async with (
        running(tmp_path / "data", FakeGateway("", FILES), MANAGEMENT_PASSWORD="another") as service,
        aiohttp.request("GET", f"{service.address}{SESSION}", cookies=cookies) as answer,
    ):
        assert answer.status == 401


@pytest.mark.parametrize(
    ("scheme", "peer", "claimed", "secure"),
    [
        ("https", "192.0.2.1", "", True),
        ("http", "127.0.0.1", "https", True),
        ("http", "127.0.0.1", "HTTPS, http", True),
        ("http", "127.0.0.1", "http", False),
        ("http", "127.0.0.2", "https", False),
    ],
)
def test_the_cookie_is_secure_where_the_client_speaks_https(scheme: str, peer: str, claimed: str, secure: bool) -> None:
    headers = [(b"x-forwarded-proto", claimed.encode()), (b"host", b"pool.example")]
    scope = {"type": "http", "scheme": scheme, "path": SESSION, "headers": headers, "client": (peer, 1)}
    decision = SecureCookies.of(always=False, trusted_proxies="127.0.0.1, ::1")

    assert decision.apply_to(HTTPConnection(scope)) is secure
    assert SecureCookies(always=True).apply_to(HTTPConnection(scope))


async def test_a_setting_makes_every_cookie_secure(tmp_path: Path) -> None:
    async with running(tmp_path / "data", POOLKEEPER_SECURE_COOKIES="true") as service:
        reply = await service.post(SESSION, json={"key": KEY})
    assert "Secure" in reply.headers["Set-Cookie"]
