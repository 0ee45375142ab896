"""Logging in, staying logged in, and who is kept out."""

import asyncio
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapter.fake import FakeGateway
from tests.extension.running_service import CONFIG, CSRF, FILES, KEY, OWN, SAID_BY_THE_GATEWAY, Running, running

SESSION = f"{OWN}/info/session"


async def test_the_key_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(service: Running) -> None:
    reply = await service.post(SESSION, json={"key": KEY})

    cookie = SimpleCookie(reply.headers["Set-Cookie"])["poolkeeper_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "strict"
    assert cookie["path"] == OWN
    assert cookie["max-age"] == str(12 * 3600)
    assert not cookie["secure"]
    assert reply.json.keys() == {"csrf", "expiresAt"}
    assert KEY not in reply.text
    assert cookie.value not in reply.text


async def test_over_https_the_cookie_never_leaves_in_clear(service: Running) -> None:
    sent: list[Any] = []
    body = f'{{"key": "{KEY}"}}'.encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"host", b"pool.example")]
    scope = {
        "type": "http", "method": "POST", "scheme": "https", "path": SESSION, "raw_path": SESSION.encode(),
        "query_string": b"", "headers": headers, "client": ("127.0.0.1", 1), "server": ("pool.example", 443),
        "root_path": "",
    }  # fmt: skip
    await service.application(scope, receive, send)

    cookie = dict(sent[0]["headers"])[b"set-cookie"].decode()
    assert "Secure" in cookie


async def test_a_session_can_be_read_again_after_a_reload(service: Running) -> None:
    headers = await service.log_in()

    assert (await service.get(SESSION)).json["csrf"] == headers[CSRF]


async def test_asking_for_a_session_without_one_is_no_failed_attempt(service: Running) -> None:
    replies = [await service.get(SESSION) for _ in range(8)]
    replies += [await service.get(f"{OWN}/info") for _ in range(8)]

    assert {reply.status for reply in replies} == {401}
    assert {reply.json["code"] for reply in replies} == {"no_session"}
    await service.log_in()


async def test_a_wrong_key_is_refused_in_the_gateways_words(service: Running) -> None:
    reply = await service.post(SESSION, json={"key": "something else"})

    assert reply.status == 401
    assert reply.json["error"] == "invalid management key"
    assert reply.json["code"] == "wrong_key"
    assert "what begins with $2 there is its hash, not the key" in reply.json["hint"]
    assert "secret-key" in reply.json["hint"]
    assert "Set-Cookie" not in reply.headers


async def test_the_sixth_wrong_key_is_refused_with_the_ban_answer(service: Running) -> None:
    for _ in range(5):
        assert (await service.post(SESSION, json={"key": "wrong"})).status == 401

    sixth = await service.post(SESSION, json={"key": "wrong"})
    right = await service.post(SESSION, json={"key": KEY})

    assert sixth.status == right.status == 403
    assert sixth.json["error"].startswith("IP banned due to too many failed attempts.")
    assert sixth.json["code"] == "banned"
    assert sixth.headers["Retry-After"] == "1800"


@pytest.mark.parametrize("token_headers", [{}, {CSRF: "0" * 64}, {CSRF: "ü"}])
async def test_a_session_does_nothing_unsafe_without_its_token(service: Running, token_headers: dict[str, str]) -> None:
    await service.log_in()

    reply = await service.post(f"{OWN}/inspections", json={}, headers=token_headers)

    assert reply.status == 403
    assert reply.json["code"] == "csrf"
    assert (await service.get(f"{OWN}/inspections")).json["runs"] == []


async def test_another_sessions_token_does_not_count(service: Running) -> None:
    foreign = await service.log_in()
    await service.log_in()

    assert (await service.post(f"{OWN}/inspections", json={}, headers=foreign)).status == 403


async def test_the_session_is_no_key_to_the_gateways_paths(service: Running) -> None:
    headers = await service.log_in()

    refused = await service.get("/v0/management/auth-files", headers=headers)
    admitted = await service.get("/v0/management/auth-files", headers={"X-Management-Key": KEY})

    assert (refused.status, refused.text) == (401, SAID_BY_THE_GATEWAY)
    assert (admitted.status, admitted.text) == (200, SAID_BY_THE_GATEWAY)


async def test_a_log_out_ends_the_session_for_whoever_kept_the_cookie(service: Running) -> None:
    headers = await service.log_in()
    cookies = {cookie.key: cookie.value for cookie in service.browser.cookie_jar}

    ended = await service.send("DELETE", SESSION, headers=headers)

    assert ended.status == 204
    assert ended.text == ""
    async with aiohttp.ClientSession(cookies=cookies) as thief, thief.get(f"{service.address}{OWN}/info") as answer:
        assert answer.status == 401


async def test_a_log_out_needs_the_token_too(service: Running) -> None:
    await service.log_in()

    assert (await service.send("DELETE", SESSION)).status == 403
    assert (await service.get(SESSION)).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Management-Key": KEY},
        {"Authorization": f"Bearer {KEY}"},
        {"Authorization": f"bEARER {KEY}"},
        {"Authorization": KEY},
    ],
)
async def test_the_management_key_itself_works_without_a_session(service: Running, headers: dict[str, str]) -> None:
    reply = await service.post(f"{OWN}/inspections/stop?run=7", headers=headers)

    assert reply.status == 404
    assert reply.json["code"] == "run_unknown"


async def test_a_wrong_authorization_wins_over_a_right_management_key(service: Running) -> None:
    headers = {"Authorization": "Bearer client-key", "X-Management-Key": KEY}

    assert (await service.get(f"{OWN}/info", headers=headers)).json["code"] == "wrong_key"


async def test_a_new_management_key_ends_the_sessions_of_the_old_one(service: Running) -> None:
    await service.log_in()
    state = service.gateway.state

    state.replace_text(state.text.replace("looks", "looked"))

    assert (await service.get(f"{OWN}/info")).json["code"] == "no_session"


async def test_a_configuration_that_is_broken_for_a_moment_ends_no_session(service: Running) -> None:
    await service.log_in()

    service.gateway.state.text += "\n\t: ["

    assert (await service.get(SESSION)).status == 200


async def test_a_configuration_with_a_date_that_no_calendar_has_is_read_like_any_other(service: Running) -> None:
    await service.log_in()

    service.gateway.state.text += "noted-on: 2024-13-45\n"

    assert (await service.get(f"{OWN}/info")).status == 200


@pytest.mark.parametrize("path", [f"{OWN}/info", SESSION, f"{OWN}/nothing", "/monitor/inspection"])
async def test_without_a_management_key_none_of_our_paths_exists(tmp_path: Path, path: str) -> None:
    async with running(tmp_path / "data", FakeGateway("", FILES)) as service:
        reply = await service.get(path)

        assert reply.status == 404
        assert reply.json["code"] == "no_management"


async def test_a_key_in_the_environment_is_a_management_key_as_well(tmp_path: Path) -> None:
    async with running(tmp_path / "data", FakeGateway("", FILES), MANAGEMENT_PASSWORD=KEY) as service:
        await service.log_in()

        assert (await service.get("/monitor/inspection")).status == 200


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('{"key": ""}', "key"),
        ('{"key": 5}', "key"),
        ('{"secret": "hidden-value"}', "key"),
        ('{"key": "hidden-value", "more": 1}', "more"),
        ('"hidden-value"', "body"),
        ('{"key": "hidden-value"', "JSON"),
    ],
)
async def test_a_log_in_that_is_not_one_is_refused_without_repeating_it(
    service: Running, body: str, named: str
) -> None:
    reply = await service.post(SESSION, data=body, headers={"Content-Type": "application/json"})

    assert reply.status == 400
    assert reply.json["code"] == "bad_request"
    assert named in reply.json["error"]
    assert "hidden-value" not in reply.text


async def test_a_form_of_another_site_is_not_taken_for_a_log_in(service: Running) -> None:
    reply = await service.post(SESSION, data=f'{{"key": "{KEY}"}}', headers={"Content-Type": "text/plain"})

    assert reply.status == 400
    assert "Set-Cookie" not in reply.headers


@pytest.mark.parametrize("encoded", ["utf-8", "latin-1"])
async def test_a_key_of_letters_beyond_ascii_is_understood_in_either_encoding(tmp_path: Path, encoded: str) -> None:
    gateway = FakeGateway(CONFIG, management_key="schlüssel-é")
    async with running(tmp_path, gateway) as service:
        reader, writer = await asyncio.open_connection(*service.address.removeprefix("http://").split(":"))
        head = f"GET {OWN}/info HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Management-Key: "
        writer.write(head.encode() + "schlüssel-é".encode(encoded) + b"\r\n\r\n")
        line = await reader.readline()
        writer.close()
    assert line.split()[1] == b"200"
