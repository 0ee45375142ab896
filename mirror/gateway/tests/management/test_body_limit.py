from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.internal.management import gate
from gateway.internal.management.gate import LONGEST_BODY
from tests.management.serving import AUTHORISED, gateway, secured

TAKING = [
    ("POST", "api-call"),
    ("PUT", "config.yaml"),
    ("POST", "auth-files?name=a.json"),
    ("PATCH", "auth-files/status"),
    ("PATCH", "auth-files/fields"),
    ("DELETE", "auth-files"),
    ("POST", "vertex/import"),
    ("PUT", "claude-api-key"),
    ("PATCH", "claude-api-key"),
    ("PUT", "api-keys"),
    ("PUT", "oauth-model-alias"),
    ("PUT", "debug"),
    ("POST", "reset-quota"),
]
FORM = {"Content-Type": "multipart/form-data; boundary=b"}


async def pieces(number: int) -> AsyncIterator[bytes]:
    for _ in range(number):
        yield b" " * 1024


@pytest.mark.parametrize("profile", ["stock", "extended"])
@pytest.mark.parametrize(("method", "path"), TAKING)
async def test_no_management_body_is_held_beyond_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, path: str, profile: str
) -> None:
    monkeypatch.setattr(gate, "LONGEST_BODY", 4096)
    async with gateway(tmp_path, secured(tmp_path, f"management-profile: {profile}\n")) as served:
        before = served.runtime.text
        for headers in [FORM] if path == "vertex/import" else [{}, FORM]:
            async with served.client.request(
                method, f"{served.url}/v0/management/{path}", data=pieces(5), headers=AUTHORISED | headers
            ) as got:
                assert (got.status, await got.json()) == (413, {"error": "request body too large: at most 4096 bytes"})
        assert served.runtime.text == before
        assert list((tmp_path / "auths").iterdir()) == []


@pytest.mark.parametrize("length", [str(LONGEST_BODY + 1), "9" * 18, "9" * 400])
async def test_a_body_that_is_declared_too_long_is_refused_before_it_is_read(tmp_path: Path, length: str) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        headers = AUTHORISED | {"Content-Length": length, "Expect": "100-continue"}
        got = await served.request("PUT", "/v0/management/debug", headers=headers)
    assert got.status == (413 if len(length) < 20 else 400)


async def test_without_the_key_nothing_of_a_body_is_read(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("PUT", "/v0/management/debug", headers={}, data=b" " * 300_000)
    assert got.status == 401
