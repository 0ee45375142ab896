import itertools
from pathlib import Path

import pytest

from tests.management.serving import AUTHORISED, KEY, gateway, secured

VERSION_HEADERS = {"x-cpa-version", "x-cpa-commit", "x-cpa-build-date", "x-cpa-support-plugin"}
DEBUG = "/v0/management/debug"


async def test_health_needs_no_key(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("GET", "/healthz", headers={})
        head = await served.request("HEAD", "/healthz", headers={})
    assert (got.status, got.json) == (200, {"status": "ok"})
    assert got.headers["content-type"] == "application/json; charset=utf-8"
    assert not VERSION_HEADERS & got.headers.keys()
    assert (head.status, head.body) == (200, b"")


async def test_the_root_says_what_this_is(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("GET", "/", headers={})
    assert got.json == {
        "endpoints": ["POST /v1/chat/completions", "POST /v1/completions", "GET /v1/models"],
        "message": "CLI Proxy API Server",
    }


async def test_every_answer_lets_any_origin_read_it(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        for path in ("/healthz", DEBUG, "/nowhere", "/v0/management/nowhere"):
            got = await served.request("GET", path)
            assert got.headers["access-control-allow-origin"] == "*"
            assert got.headers["access-control-allow-methods"] == "GET, POST, PUT, PATCH, DELETE, OPTIONS"
            assert got.headers["access-control-allow-headers"] == "*"
            assert "X-CPA-VERSION" in got.headers["access-control-expose-headers"]


@pytest.mark.parametrize("path", ["/v0/management/config", "/nowhere", "/healthz"])
async def test_options_is_answered_before_any_check(tmp_path: Path, path: str) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("OPTIONS", path, headers={})
    assert (got.status, got.body) == (204, b"")


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {KEY}"},
        {"Authorization": f"bearer {KEY}"},
        {"Authorization": KEY},
        {"X-Management-Key": KEY},
        {"Authorization": "Bearer ", "X-Management-Key": KEY},
    ],
)
async def test_the_key_is_accepted_where_it_may_stand(tmp_path: Path, headers: dict[str, str]) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("GET", DEBUG, headers=headers)
    assert (got.status, got.json) == (200, {"debug": False})
    assert got.headers.keys() >= VERSION_HEADERS


@pytest.mark.parametrize(
    ("headers", "text"),
    [
        ({}, "missing management key"),
        ({"Authorization": "Bearer nope"}, "invalid management key"),
        ({"Authorization": "Bearer nope", "X-Management-Key": KEY}, "invalid management key"),
        ({"Authorization": "Basic bWdtdC1zZWNyZXQ="}, "invalid management key"),
    ],
)
async def test_a_missing_or_wrong_key_is_401_with_version_headers(
    tmp_path: Path, headers: dict[str, str], text: str
) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("GET", DEBUG, headers=headers)
    assert (got.status, got.json) == (401, {"error": text})
    assert got.headers.keys() >= VERSION_HEADERS


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v0/management/no-such-thing"),
        ("GET", "/v0/management"),
        ("POST", "/v0/management/config"),
        ("HEAD", DEBUG),
        ("PUT", "/v0/management/auth-files/status"),
    ],
)
async def test_an_unknown_path_and_a_wrong_method_are_404_without_body(tmp_path: Path, method: str, path: str) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request(method, path)
        without_key = await served.request(method, path, headers={})
    assert (got.status, got.body) == (404, b"")
    assert got.headers.keys() >= VERSION_HEADERS
    assert without_key.status == 401


async def test_outside_management_an_unknown_path_is_404_without_version_headers(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("POST", "/healthz", headers={})
    assert (got.status, got.body) == (404, b"")
    assert not VERSION_HEADERS & got.headers.keys()


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/auth-files", 301), ("PATCH", "/auth-files/status", 307)]
)
async def test_a_slash_too_many_is_a_redirect_before_the_key_is_asked(
    tmp_path: Path, method: str, path: str, status: int
) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request(method, f"/v0/management{path}/?name=a%20b", headers={})
    assert (got.status, got.headers["location"]) == (status, f"/v0/management{path}?name=a%20b")
    assert "access-control-allow-origin" not in got.headers


async def test_the_body_of_a_redirected_get_is_a_link(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("GET", "/v0/management/auth-files/")
    assert got.headers["content-type"] == "text/html; charset=utf-8"
    assert got.body == b'<a href="/v0/management/auth-files">Moved Permanently</a>.\n\n'


async def test_the_sixth_wrong_key_meets_the_ban(tmp_path: Path) -> None:
    wrong = {"Authorization": "Bearer bad"}
    async with gateway(tmp_path, secured(tmp_path)) as served:
        tries = [await served.request("GET", DEBUG, headers=wrong) for _ in range(6)]
        right = await served.request("GET", DEBUG)
    assert [got.status for got in tries] == [401] * 5 + [403]
    banned = {"error": "IP banned due to too many failed attempts. Try again in 30m0s"}
    assert (tries[5].json, right.status, right.json) == (banned, 403, banned)


async def test_without_a_secret_management_does_not_exist(tmp_path: Path) -> None:
    async with gateway(tmp_path, f'auth-dir: "{tmp_path}/auths"\n') as served:
        for path in (DEBUG, "/v0/management/nowhere", "/v0/management/auth-files/"):
            got = await served.request("GET", path)
            assert (got.status, got.body) == (404, b"")
            assert not VERSION_HEADERS & got.headers.keys()


async def test_the_environment_secret_opens_management(tmp_path: Path) -> None:
    environment = {"MANAGEMENT_PASSWORD": " from the environment "}
    async with gateway(tmp_path, f'auth-dir: "{tmp_path}/auths"\n', environment=environment) as served:
        got = await served.request("GET", DEBUG, headers={"X-Management-Key": "from the environment"})
    assert got.status == 200


async def test_a_local_password_alone_leaves_the_key_unset(tmp_path: Path) -> None:
    async with gateway(tmp_path, f'auth-dir: "{tmp_path}/auths"\n', local_password="local") as served:
        got = await served.request("GET", DEBUG, headers={"Authorization": "Bearer local"})
    assert (got.status, got.json) == (403, {"error": "remote management key not set"})


async def test_a_local_password_beside_a_key_is_accepted(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path), local_password="local") as served:
        got = await served.request("GET", DEBUG, headers={"Authorization": "Bearer local"})
    assert got.status == 200


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Real-IP"])
async def test_a_forwarded_address_changes_nothing(tmp_path: Path, name: str) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("GET", DEBUG, headers=AUTHORISED | {name: "203.0.113.9"})
    assert got.status == 200


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Real-IP"])
async def test_the_stock_profile_believes_a_forwarded_address(tmp_path: Path, name: str) -> None:
    async with gateway(tmp_path, secured(tmp_path, "management-profile: stock\n")) as served:
        got = await served.request("GET", DEBUG, headers=AUTHORISED | {name: "203.0.113.9"})
    assert (got.status, got.json) == (403, {"error": "remote management disabled"})


async def test_a_trusted_proxy_is_believed(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, 'trusted-proxies: ["127.0.0.0/8"]\n')) as served:
        got = await served.request("GET", DEBUG, headers=AUTHORISED | {"X-Forwarded-For": "203.0.113.9"})
        local = await served.request("GET", DEBUG)
    assert (got.status, got.json) == (403, {"error": "remote management disabled"})
    assert local.status == 200


async def test_remote_callers_are_let_in_when_allowed(tmp_path: Path) -> None:
    text = secured(tmp_path, 'trusted-proxies: ["127.0.0.1"]\n', allow_remote=True)
    async with gateway(tmp_path, text) as served:
        got = await served.request("GET", DEBUG, headers=AUTHORISED | {"X-Forwarded-For": "203.0.113.9"})
    assert got.status == 200


async def test_refusals_never_repeat_the_key(tmp_path: Path) -> None:
    secrets = ("s3cret-one", "s3cret-two")
    async with gateway(tmp_path, secured(tmp_path)) as served:
        for secret, name in itertools.product(secrets, ("Authorization", "X-Management-Key")):
            got = await served.request("GET", DEBUG, headers={name: secret})
            assert secret.encode() not in got.body
