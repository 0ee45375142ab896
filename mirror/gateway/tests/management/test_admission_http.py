"""Letting callers in, where the extended profile differs from the stock one."""

import itertools
from pathlib import Path

import pytest

from tests.management.serving import AUTHORISED, gateway, secured

DEBUG = "/v0/management/debug"


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Real-IP"])
async def test_a_forwarded_address_changes_nothing(tmp_path: Path, name: str) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("GET", DEBUG, headers=AUTHORISED | {name: "203.0.113.9"})
    assert got.status == 200


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
