"""The management key, the order of checks, and where management exists at all."""

from pathlib import Path

import pytest

from tests.conformance.rules import row, rule
from tests.conformance.stock import ask, profiled, stock
from tests.management.serving import AUTHORISED, HASH, KEY, gateway, secured

VERSION = {"x-cpa-version", "x-cpa-commit", "x-cpa-build-date", "x-cpa-support-plugin"}
DEBUG = "/v0/management/debug"
MISSING, INVALID = {"error": "missing management key"}, {"error": "invalid management key"}


@pytest.mark.parametrize(
    "headers",
    [
        row("key.bearer", {"Authorization": f"Bearer {KEY}"}),
        row("key.bearer", {"Authorization": f"bEARER {KEY}"}),
        row("key.raw", {"Authorization": KEY}),
        row("key.second-header check.right", {"X-Management-Key": KEY}),
        row("key.second-header", {"Authorization": " ", "X-Management-Key": KEY}),
    ],
)
async def test_the_key_is_accepted_where_it_may_stand(tmp_path: Path, headers: dict[str, str]) -> None:
    async with stock(tmp_path) as served:
        got = await served.request("GET", DEBUG, headers=headers)
    assert (got.status, got.json) == (200, {"debug": False})
    assert got.headers.keys() >= VERSION


@pytest.mark.parametrize(
    ("headers", "path", "answer"),
    [
        row("check.missing check.error-body headers.on-refusals", {}, "", MISSING),
        row("check.wrong", {"Authorization": "Bearer nope"}, "", INVALID),
        row("key.bearer", {"Authorization": f"Bearer  {KEY}"}, "", INVALID),
        row("key.raw", {"Authorization": "Basic bWdtdC1zZWNyZXQ="}, "", INVALID),
        row("key.second-header", {"Authorization": "Bearer ", "X-Management-Key": KEY}, "", INVALID),
        row("key.authorization-wins", {"Authorization": "Bearer nope", "X-Management-Key": KEY}, "", INVALID),
        row("key.nowhere-else", {}, f"?key={KEY}&access_token={KEY}", MISSING),
        row("key.nowhere-else", {"Cookie": f"key={KEY}; X-Management-Key={KEY}"}, "", MISSING),
        row("key.client-key", {"Authorization": "Bearer client-1"}, "", INVALID),
        row("existence.open-wrong", {"Authorization": "Bearer client-1", "X-Management-Key": KEY}, "", INVALID),
    ],
)
async def test_every_other_key_is_401_with_version_headers(
    tmp_path: Path, headers: dict[str, str], path: str, answer: object
) -> None:
    async with stock(tmp_path, 'api-keys: ["client-1"]\n') as served:
        got = await served.request("GET", DEBUG + path, headers=headers)
    assert (got.status, got.json) == (401, answer)
    assert got.headers.keys() >= VERSION


@rule("key.nowhere-else")
async def test_a_key_in_the_body_is_none(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        got = await served.request("PUT", DEBUG, headers={}, json={"value": True, "key": KEY})
    assert (got.status, got.json) == (401, MISSING)


@rule("check.banned", "ban.loopback", "ban.half-hour")
async def test_the_sixth_wrong_key_meets_the_ban_and_so_does_the_right_one(tmp_path: Path) -> None:
    wrong = {"Authorization": "Bearer bad"}
    async with stock(tmp_path) as served:
        tries = [await served.request("GET", DEBUG, headers=wrong) for _ in range(6)]
        right = await served.request("GET", DEBUG)
    assert [got.status for got in tries] == [401] * 5 + [403]
    banned = {"error": "IP banned due to too many failed attempts. Try again in 30m0s"}
    assert (tries[5].json, right.status, right.json) == (banned, 403, banned)


@rule("check.probing-bans", "ban.memory")
async def test_five_requests_without_a_key_ban_until_the_gateway_starts_again(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        for _ in range(5):
            await served.request("GET", DEBUG, headers={})
        banned = await served.request("GET", DEBUG)
    async with stock(tmp_path) as served:
        again = await served.request("GET", DEBUG)
    assert (banned.status, again.status) == (403, 200)


@rule("check.remote", "local.forwarded", "local.exact")
@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Real-IP"])
@pytest.mark.parametrize("address", ["203.0.113.9", "127.0.0.2", "10.0.0.1", "::2"])
async def test_whoever_is_forwarded_for_from_elsewhere_is_remote_and_that_is_no_failure(
    tmp_path: Path, name: str, address: str
) -> None:
    async with stock(tmp_path) as served:
        tries = [await served.request("GET", DEBUG, headers={name: address}) for _ in range(6)]
    assert {(got.status, str(got.json)) for got in tries} == {(403, "{'error': 'remote management disabled'}")}


@rule("local.exact")
@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_two_addresses_are_local(tmp_path: Path, address: str) -> None:
    async with stock(tmp_path) as served:
        assert (await served.request("GET", DEBUG, headers=AUTHORISED | {"X-Real-IP": address})).status == 200


@rule("local.lifted")
async def test_allow_remote_lets_remote_callers_in(tmp_path: Path) -> None:
    text = secured(tmp_path, "management-profile: stock\n", allow_remote=True)
    async with gateway(tmp_path, text) as served:
        got = await served.request("GET", DEBUG, headers=AUTHORISED | {"X-Forwarded-For": "203.0.113.9"})
    assert got.status == 200


@rule("secret.environment", "check.environment", "local.lifted", "existence.secret")
async def test_the_environment_secret_is_trimmed_opens_management_and_lets_remote_callers_in(tmp_path: Path) -> None:
    remote = {"X-Forwarded-For": "203.0.113.9"}
    async with gateway(tmp_path, profiled(tmp_path), environment={"MANAGEMENT_PASSWORD": " from outside "}) as served:
        by_environment = await served.request("GET", DEBUG, headers=remote | {"X-Management-Key": "from outside"})
        by_file = await served.request("GET", DEBUG, headers=remote | AUTHORISED)
    assert (by_environment.status, by_file.status) == (200, 200)


@rule("secret.option", "check.local-password")
async def test_the_local_password_is_for_local_clients_only(tmp_path: Path) -> None:
    text = secured(tmp_path, "management-profile: stock\n", allow_remote=True)
    local = {"Authorization": "Bearer local"}
    async with gateway(tmp_path, text, local_password="local") as served:
        here = await served.request("GET", DEBUG, headers=local)
        there = await served.request("GET", DEBUG, headers=local | {"X-Forwarded-For": "203.0.113.9"})
    assert (here.status, there.status, there.json) == (200, 401, INVALID)


@rule("check.no-secret", "check.local-password-alone", "existence.secret")
async def test_a_local_password_alone_leaves_the_key_unset_and_that_is_no_failure(tmp_path: Path) -> None:
    text = f'auth-dir: "{tmp_path}/auths"\nmanagement-profile: stock\n'
    async with gateway(tmp_path, text, local_password="local") as served:
        tries = [await served.request("GET", DEBUG, headers={"Authorization": "Bearer local"}) for _ in range(6)]
    assert {(got.status, str(got.json)) for got in tries} == {(403, "{'error': 'remote management key not set'}")}


@rule("existence.none", "existence.closed", "headers.elsewhere")
@pytest.mark.parametrize("path", ["/debug", "/nowhere", "/auth-files/", "/config.yaml", ""])
async def test_without_a_secret_management_does_not_exist(tmp_path: Path, path: str) -> None:
    async with gateway(tmp_path, f'auth-dir: "{tmp_path}/auths"\nmanagement-profile: stock\n') as served:
        got = await served.request("GET", f"/v0/management{path}")
    assert (got.status, got.body) == (404, b"")
    assert not VERSION & got.headers.keys()


@rule("existence.added", "existence.removed", "reload.secret")
async def test_a_secret_added_to_the_file_opens_management_and_its_removal_closes_it(tmp_path: Path) -> None:
    bare = f'auth-dir: "{tmp_path}/auths"\nmanagement-profile: stock\nusage-statistics-enabled: true\n'
    async with gateway(tmp_path, bare) as served:
        seen = []
        for text in (bare, profiled(tmp_path, "usage-statistics-enabled: true\n"), bare):
            served.runtime.config_path.write_text(text)
            await served.runtime.reload()
            seen.append(((await served.request("GET", DEBUG)).status, served.runtime.traffic.usage.recording))
    assert seen == [(404, False), (200, True), (404, False)]


@rule("secret.hashed", "yaml.secret")
async def test_a_clear_text_secret_is_hashed_at_the_start_at_a_reload_and_at_a_put(tmp_path: Path) -> None:
    def text(secret: str) -> str:
        return profiled(tmp_path).replace(f'"{HASH}"', f'"{secret}" # mine')

    async with gateway(tmp_path, text("first secret")) as served:
        path, works = served.runtime.config_path, []
        for secret in ("first secret", "second secret", "third secret"):
            if secret.startswith("second"):
                path.write_text(text(secret))
                await served.runtime.reload()
            if secret.startswith("third"):
                await ask(
                    served, "PUT config.yaml", raw=text(secret).encode(), headers={"X-Management-Key": "second secret"}
                )
            works.append((await served.request("GET", DEBUG, headers={"X-Management-Key": secret})).status)
            assert secret not in path.read_text()
            assert "# mine" in path.read_text()
    assert works == [200] * 3
