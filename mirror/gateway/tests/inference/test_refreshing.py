"""Access tokens that ran out are refreshed where somebody says how, and nowhere else."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from hypothesis import strategies as st

from gateway.internal.inference.refreshing import refreshed, request_for
from gateway.internal.outbound.tokens import runs_out
from gateway.internal.pool.folder import synthesise_file
from tests.inference.files import WHEN, credential_file
from tests.inference.pools import CLIENT, pool, records
from tests.inference.providers import Providers
from tests.inference.test_credential_files import file
from tests.loopback import Upstream, answer, upstream
from tests.management.serving import Served

PAST, FUTURE = "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"
NEW = json.dumps({"access_token": "ok-new", "refresh_token": "r-2", "expires_in": 3600}).encode()
BODY = {"model": "claude-x"}


@asynccontextmanager
async def expiring(
    folder: Path, response: bytes, rest: str = "", **fields: object
) -> AsyncIterator[tuple[Served, Providers, Upstream]]:
    """Serve one claude file whose token was issued by a token endpoint that answers in one way."""
    async with upstream(lambda _: response) as issuer:
        held = {"refresh_token": "r-1", "token_endpoint": f"{issuer.url}/token", "client_id": "c", **fields}
        files = file("claude", **{name: value for name, value in held.items() if value is not None})
        async with pool(folder, "", files=files, rest=rest.replace("{issuer}", issuer.url)) as (served, providers):
            yield served, providers, issuer


async def ask(served: Served) -> int:
    return (await served.request("POST", "/v1/messages", headers=CLIENT, json=BODY)).status


def on_disk(folder: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads((folder / "auths" / "claude.json").read_text())
    return content


async def test_a_token_that_ran_out_is_refreshed_before_it_is_used(tmp_path: Path) -> None:
    async with expiring(tmp_path, answer(200, NEW), access_token="ok-old", expired=PAST, own="kept") as (
        served,
        providers,
        issuer,
    ):
        assert await ask(served) == 200
        assert await ask(served) == 200
        assert providers.keys == ["ok-new", "ok-new"]
        (asked,) = issuer.received
        assert (asked.method, asked.target) == ("POST", "/token")
        assert parse_qs(asked.body.decode()) == {
            "grant_type": ["refresh_token"],
            "refresh_token": ["r-1"],
            "client_id": ["c"],
        }
        held = on_disk(tmp_path)
        assert (held["access_token"], held["refresh_token"], held["own"]) == ("ok-new", "r-2", "kept")
        assert datetime.fromisoformat(str(held["expired"])) > datetime.now(UTC)
        assert "last_refresh" in held


async def test_a_token_that_is_refused_is_refreshed_and_the_same_request_served(tmp_path: Path) -> None:
    async with expiring(tmp_path, answer(200, NEW), access_token="s401-old", expired=FUTURE) as (served, providers, _):
        assert await ask(served) == 200
        assert providers.keys == ["s401-old", "ok-new"]
        failed, good = await records(served)
        assert failed["request_id"] == good["request_id"]
        assert (failed["failed"], good["failed"]) == (True, False)
        assert await ask(served) == 200


@pytest.mark.parametrize(
    "response",
    [
        answer(400, b'{"error":"invalid_grant"}'),
        answer(200, b"{}"),
        answer(200, b"no JSON"),
        answer(307, NEW, Location="http://127.0.0.1:1/elsewhere"),
        answer(500),
        b"",
    ],
)
async def test_a_refresh_that_fails_is_not_repeated_at_once_and_the_client_gets_the_first_error(
    tmp_path: Path, response: bytes
) -> None:
    async with expiring(tmp_path, response, access_token="s401-old", expired=PAST) as (served, providers, issuer):
        assert await ask(served) == 401
        await served.request("POST", "/v0/management/reset-quota", json={"auth_index": index(served)})
        assert await ask(served) == 401
        assert providers.keys == ["s401-old", "s401-old"]
        assert len(issuer.received) == 1
        assert on_disk(tmp_path)["refresh_token"] == "r-1"


def index(served: Served) -> str:
    return served.runtime.snapshot.credentials[0].auth_index


async def test_a_file_that_names_no_endpoint_is_used_as_it_is(tmp_path: Path) -> None:
    async with expiring(tmp_path, answer(200, NEW), access_token="s401-old", expired=PAST, token_endpoint=None) as (
        served,
        _,
        issuer,
    ):
        assert await ask(served) == 401
        assert not issuer.received


async def test_the_configuration_names_the_endpoint_of_a_provider(tmp_path: Path) -> None:
    rest = 'oauth-token-endpoints:\n  Claude: {url: "{issuer}/other", client-id: mine, client-secret: hush}\n'
    async with expiring(tmp_path, answer(200, NEW), rest, access_token="s401-old") as (served, _, issuer):
        assert await ask(served) == 200
        (asked,) = issuer.received
        assert asked.target == "/other"
        form = parse_qs(asked.body.decode())
        assert (form["client_id"], form["client_secret"]) == (["mine"], ["hush"])


async def test_a_token_somebody_else_renewed_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "auths" / "claude.json"

    async with upstream(lambda _: renewed()) as issuer:

        def renewed() -> bytes:
            other = {"access_token": "ok-other", "refresh_token": "r-other", "expired": FUTURE}
            path.write_text(json.dumps(json.loads(path.read_text()) | other))
            return answer(200, NEW)

        files = file("claude", access_token="s401-old", refresh_token="r-1", token_endpoint=issuer.url)
        async with pool(tmp_path, "", files=files) as (served, providers):
            assert await ask(served) == 200
            assert providers.keys == ["s401-old", "ok-other"]
            assert on_disk(tmp_path)["refresh_token"] == "r-other"


def test_no_secret_is_in_what_could_be_logged() -> None:
    credential = synthesise_file(credential_file("claude", refresh_token="hush", token_endpoint="http://x"), None, WHEN)
    assert credential is not None
    assert "hush" not in repr(request_for(credential, {}))


def test_a_new_token_of_unknown_life_in_a_file_that_nests_the_old_one_has_not_run_out() -> None:
    document: dict[str, object] = {"token": {"access_token": "old", "expiry": PAST}, "expires_in": 1, "timestamp": 1}
    assert not runs_out(refreshed(document, {"access_token": "new"}, WHEN), WHEN)


def test_the_old_token_is_not_used_under_another_name_and_the_time_of_issue_is_the_new_one() -> None:
    result = refreshed({"accessToken": "old", "timestamp": 1}, {"access_token": "new", "expires_in": 60}, WHEN)
    assert "accessToken" not in result
    assert result["timestamp"] == int(WHEN.timestamp() * 1000)


JSON = st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists)
NAMES = st.sampled_from(["access_token", "refresh_token", "id_token", "expires_in", "type", "disabled"])
