"""Service account files of vertex: a signed statement is exchanged for a token, and the token serves."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from gateway.internal.inference.families import Action, family_of
from gateway.internal.inference.forwarding import address_for
from gateway.internal.inference.request import InferenceRequest
from gateway.internal.inference.request import read_request as read
from gateway.internal.inference.service_accounts import sign
from gateway.internal.pool.folder import synthesise_file
from tests.inference.files import WHEN, credential_file
from tests.inference.pools import CLIENT, pool, records
from tests.inference.providers import Providers
from tests.inference.rsa_key import PKCS8
from tests.loopback import Upstream, answer, upstream
from tests.management.serving import Served

PATH = "/v1beta/models/gemini-2.5-pro:generateContent"
CALL: InferenceRequest = read(Action.GEMINI, b"{}", query="", headers={}, path_model="gemini-2.5-pro:generateContent")


def issuing(*tokens: str) -> "list[bytes]":
    return [answer(200, json.dumps({"access_token": token, "expires_in": 3600}).encode()) for token in tokens]


def account(url: str, key: str = PKCS8) -> dict[str, object]:
    return {"client_email": "robot@p.example", "private_key": key, "private_key_id": "kid-1", "token_uri": url}


@asynccontextmanager
async def robot(folder: Path, *responses: bytes, key: str = PKCS8) -> AsyncIterator[tuple[Served, Providers, Upstream]]:
    """Serve one service account, whose token endpoint answers with these in turn, and then with the last for ever."""
    left = list(responses)
    async with upstream(lambda _: left.pop(0) if len(left) > 1 else left[0]) as issuer:
        content = {"type": "vertex", "project_id": "p-1", "location": "europe-west4", "base_url": "{url}"}
        held = {**content, "service_account": account(f"{issuer.url}/token", key)}
        async with pool(folder, "", files={"vertex-p-1.json": json.dumps(held)}) as (served, providers):
            yield served, providers, issuer


async def ask(served: Served) -> int:
    return (await served.request("POST", PATH, headers=CLIENT, json={"contents": []})).status


def decoded(part: str) -> dict[str, object]:
    value: dict[str, object] = json.loads(base64.urlsafe_b64decode(part + "=="))
    return value


async def test_a_signed_statement_is_exchanged_for_a_token_that_serves_until_it_ends(tmp_path: Path) -> None:
    async with robot(tmp_path, *issuing("ok-minted")) as (served, providers, issuer):
        assert [await ask(served) for _ in range(3)] == [200, 200, 200]
        assert providers.keys == ["ok-minted"] * 3
        place = "projects/p-1/locations/europe-west4/publishers/google/models"
        assert providers.seen[0].path == f"/v1/{place}/gemini-2.5-pro:generateContent"
        (asked,) = issuer.received
        form = parse_qs(asked.body.decode())
        assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
        header, claims, signature = form["assertion"][0].split(".")
        assert decoded(header) == {"alg": "RS256", "typ": "JWT", "kid": "kid-1"}
        said = decoded(claims)
        assert (said["iss"], said["aud"]) == ("robot@p.example", f"{issuer.url}/token")
        expected = sign(PKCS8, f"{header}.{claims}".encode())
        assert base64.urlsafe_b64decode(signature + "==") == expected


async def test_the_token_is_not_written_anywhere(tmp_path: Path) -> None:
    async with robot(tmp_path, *issuing("ok-minted")) as (served, _, __):
        before = (tmp_path / "auths" / "vertex-p-1.json").read_text()
        assert await ask(served) == 200
        assert (tmp_path / "auths" / "vertex-p-1.json").read_text() == before
        (record,) = await records(served)
        assert "ok-minted" not in json.dumps(record)


async def test_a_token_that_is_refused_is_replaced_in_the_same_request(tmp_path: Path) -> None:
    async with robot(tmp_path, *issuing("s401-old", "ok-new")) as (served, providers, _):
        assert await ask(served) == 200
        assert providers.keys == ["s401-old", "ok-new"]


@pytest.mark.parametrize("response", [answer(400, b'{"error":"invalid_grant"}'), answer(500), answer(200), b""])
async def test_without_a_token_nothing_is_sent_and_the_endpoint_is_left_alone(tmp_path: Path, response: bytes) -> None:
    async with robot(tmp_path, response) as (served, providers, issuer):
        assert [await ask(served) for _ in range(3)] == [503, 503, 503]
        assert len(issuer.received) == 1
        assert not providers.seen


async def test_a_key_that_cannot_sign_is_not_asked_with(tmp_path: Path) -> None:
    async with robot(tmp_path, *issuing("ok-minted"), key="nonsense") as (served, _, issuer):
        assert await ask(served) == 503
        assert not issuer.received


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1/"),
        ({"location": "global"}, "https://aiplatform.googleapis.com/v1/projects/p/locations/global/"),
        ({"location": "evil.example/x"}, "https://us-central1-aiplatform.googleapis.com/v1/projects/p/"),
        ({"project_id": "a/../b"}, ""),
    ],
)
def test_a_file_says_in_which_place_its_project_is(fields: dict[str, object], expected: str) -> None:
    content = {"service_account": account("http://x"), "project_id": "p", **fields}
    credential = synthesise_file(credential_file("vertex", **content), None, WHEN)
    assert credential is not None
    family = family_of(credential)
    assert family is not None
    url = address_for(family, credential, CALL, "gemini-2.5-pro")
    assert url.startswith(expected)
    assert bool(url) is bool(expected)
