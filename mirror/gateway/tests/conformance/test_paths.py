"""Headers, unknown paths, health, and what answers without a key."""

from pathlib import Path

import pytest

from gateway import __version__
from tests.conformance.stock import stock

VERSION = {"x-cpa-version", "x-cpa-commit", "x-cpa-build-date", "x-cpa-support-plugin"}
DEBUG = "/v0/management/debug"
EXPOSED = (
    "X-CPA-TRACE-ID, X-CPA-VERSION, X-CPA-COMMIT, X-CPA-BUILD-DATE, X-CPA-SUPPORT-PLUGIN, X-CPA-HOME-VERSION, "
    "X-CPA-HOME-BUILD-DATE, X-SERVER-VERSION, X-SERVER-BUILD-DATE, Location, Retry-After, X-Request-Id, "
    "OpenAI-Request-Id"
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x-cpa-version", __version__),
        ("x-cpa-commit", "none"),
        ("x-cpa-build-date", "unknown"),
        ("x-cpa-support-plugin", "0"),
    ],
)
async def test_management_says_which_build_it_is_also_to_who_is_refused(tmp_path: Path, name: str, value: str) -> None:
    async with stock(tmp_path) as served:
        answers = [await served.request("GET", DEBUG), await served.request("GET", DEBUG, headers={})]
    assert [(got.status, got.headers[name]) for got in answers] == [(200, value), (401, value)]
    assert not value.startswith("v")


@pytest.mark.parametrize("path", ["/healthz", DEBUG, "/nowhere", "/v0/management/nowhere", "/v1/models", "/"])
async def test_every_answer_lets_any_origin_read_it(tmp_path: Path, path: str) -> None:
    async with stock(tmp_path) as served:
        got = await served.request("GET", path)
    assert got.headers["access-control-allow-origin"] == "*"
    assert got.headers["access-control-allow-methods"] == "GET, POST, PUT, PATCH, DELETE, OPTIONS"
    assert got.headers["access-control-allow-headers"] == "*"
    assert got.headers["access-control-expose-headers"] == EXPOSED


@pytest.mark.parametrize(
    "path", ["/v0/management/config", "/v0/management/nowhere", "/nowhere", "/healthz", "/v1/models"]
)
async def test_options_is_answered_before_any_check(tmp_path: Path, path: str) -> None:
    async with stock(tmp_path, 'api-keys: ["client-1"]\n') as served:
        got = await served.request("OPTIONS", path, headers={})
    assert (got.status, got.body) == (204, b"")


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
async def test_an_unknown_path_and_a_wrong_method_ask_for_the_key_and_are_404_without_body(
    tmp_path: Path, method: str, path: str
) -> None:
    async with stock(tmp_path) as served:
        got = await served.request(method, path)
        without_key = await served.request(method, path, headers={})
    assert (got.status, got.body) == (404, b"")
    assert got.headers.keys() >= VERSION
    assert without_key.status == 401


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/auth-files", 301), ("PATCH", "/auth-files/status", 307), ("DELETE", "/auth-files", 307)],
)
async def test_a_slash_too_many_is_a_redirect_before_the_key_is_asked(
    tmp_path: Path, method: str, path: str, status: int
) -> None:
    async with stock(tmp_path) as served:
        got = await served.request(method, f"/v0/management{path}/?name=a%20b", headers={})
    assert (got.status, got.headers["location"]) == (status, f"/v0/management{path}?name=a%20b")
    assert "access-control-allow-origin" not in got.headers
    link = f'<a href="/v0/management{path}?name=a%20b">Moved Permanently</a>.\n\n'.encode()
    assert got.body == (link if method == "GET" else b"")


async def test_health_needs_no_key(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        got = await served.request("GET", "/healthz", headers={})
        head = await served.request("HEAD", "/healthz", headers={})
    assert (got.status, got.body) == (200, b'{"status":"ok"}')
    assert got.headers["content-type"] == "application/json; charset=utf-8"
    assert (head.status, head.body) == (200, b"")


async def test_the_root_says_what_this_is(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        got = await served.request("GET", "/", headers={})
    endpoints = ["POST /v1/chat/completions", "POST /v1/completions", "GET /v1/models"]
    assert (got.status, got.json) == (200, {"endpoints": endpoints, "message": "CLI Proxy API Server"})
