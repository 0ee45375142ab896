"""The management key, the order of checks, and where management exists at all."""

from pathlib import Path

import pytest

from tests.conformance.stock import ask, profiled, stock
from tests.management.serving import AUTHORISED, HASH, KEY, gateway

VERSION = {"x-cpa-version", "x-cpa-commit", "x-cpa-build-date", "x-cpa-support-plugin"}
DEBUG = "/v0/management/debug"
MISSING, INVALID = {"error": "missing management key"}, {"error": "invalid management key"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {KEY}"},
        {"Authorization": f"bEARER {KEY}"},
        {"Authorization": KEY},
        {"X-Management-Key": KEY},
        {"Authorization": " ", "X-Management-Key": KEY},
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
        ({}, "", MISSING),
        ({"Authorization": "Bearer nope"}, "", INVALID),
        ({"Authorization": f"Bearer  {KEY}"}, "", INVALID),
        ({"Authorization": "Basic bWdtdC1zZWNyZXQ="}, "", INVALID),
        ({"Authorization": "Bearer ", "X-Management-Key": KEY}, "", INVALID),
        ({"Authorization": "Bearer nope", "X-Management-Key": KEY}, "", INVALID),
        ({}, f"?key={KEY}&access_token={KEY}", MISSING),
        ({"Cookie": f"key={KEY}; X-Management-Key={KEY}"}, "", MISSING),
        ({"Authorization": "Bearer client-1"}, "", INVALID),
        ({"Authorization": "Bearer client-1", "X-Management-Key": KEY}, "", INVALID),
    ],
)
async def test_every_other_key_is_401_with_version_headers(
    tmp_path: Path, headers: dict[str, str], path: str, answer: object
) -> None:
    async with stock(tmp_path, 'api-keys: ["client-1"]\n') as served:
        got = await served.request("GET", DEBUG + path, headers=headers)
    assert (got.status, got.json) == (401, answer)
    assert got.headers.keys() >= VERSION


async def test_the_sixth_wrong_key_meets_the_ban_and_so_does_the_right_one(tmp_path: Path) -> None:
    wrong = {"Authorization": "Bearer bad"}
    async with stock(tmp_path) as served:
        tries = [await served.request("GET", DEBUG, headers=wrong) for _ in range(6)]
        right = await served.request("GET", DEBUG)
    assert [got.status for got in tries] == [401] * 5 + [403]
    banned = {"error": "IP banned due to too many failed attempts. Try again in 30m0s"}
    assert (tries[5].json, right.status, right.json) == (banned, 403, banned)


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Real-IP"])
@pytest.mark.parametrize("address", ["203.0.113.9", "127.0.0.2", "10.0.0.1", "::2"])
async def test_whoever_is_forwarded_for_from_elsewhere_is_remote_and_that_is_no_failure(
    tmp_path: Path, name: str, address: str
) -> None:
    async with stock(tmp_path) as served:
        tries = [await served.request("GET", DEBUG, headers={name: address}) for _ in range(6)]
    assert {(got.status, str(got.json)) for got in tries} == {(403, "{'error': 'remote management disabled'}")}


async def test_the_environment_secret_is_trimmed_opens_management_and_lets_remote_callers_in(tmp_path: Path) -> None:
    remote = {"X-Forwarded-For": "203.0.113.9"}
    async with gateway(tmp_path, profiled(tmp_path), environment={"MANAGEMENT_PASSWORD": " from outside "}) as served:
        by_environment = await served.request("GET", DEBUG, headers=remote | {"X-Management-Key": "from outside"})
        by_file = await served.request("GET", DEBUG, headers=remote | AUTHORISED)
    assert (by_environment.status, by_file.status) == (200, 200)


async def test_a_local_password_alone_leaves_the_key_unset_and_that_is_no_failure(tmp_path: Path) -> None:
    text = f'auth-dir: "{tmp_path}/auths"\nmanagement-profile: stock\n'
    async with gateway(tmp_path, text, local_password="local") as served:
        tries = [await served.request("GET", DEBUG, headers={"Authorization": "Bearer local"}) for _ in range(6)]
    assert {(got.status, str(got.json)) for got in tries} == {(403, "{'error': 'remote management key not set'}")}


async def test_a_secret_added_to_the_file_opens_management_and_its_removal_closes_it(tmp_path: Path) -> None:
    bare = f'auth-dir: "{tmp_path}/auths"\nmanagement-profile: stock\nusage-statistics-enabled: true\n'
    async with gateway(tmp_path, bare) as served:
        seen = []
        for text in (bare, profiled(tmp_path, "usage-statistics-enabled: true\n"), bare):
            served.runtime.config_path.write_text(text)
            await served.runtime.reload()
            seen.append(((await served.request("GET", DEBUG)).status, served.runtime.traffic.usage.recording))
    assert seen == [(404, False), (200, True), (404, False)]


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
