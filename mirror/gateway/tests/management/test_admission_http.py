"""Letting callers in, where the extended profile differs from the stock one."""

import itertools
from pathlib import Path

import pytest
from multidict import CIMultiDict

from gateway.internal.admission import verifier
from tests.management.serving import AUTHORISED, gateway, secured

DEBUG = "/v0/management/debug"
CALLBACK = "/v0/management/oauth-callback"


async def test_a_trusted_proxy_is_believed(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, 'trusted-proxies: ["127.0.0.0/8"]\n')) as served:
        got = await served.request("GET", DEBUG, headers=AUTHORISED | {"X-Forwarded-For": "203.0.113.9"})
        local = await served.request("GET", DEBUG)
    assert (got.status, got.json) == (403, {"error": "remote management disabled"})
    assert local.status == 200


async def test_the_line_that_a_proxy_adds_below_the_clients_own_counts(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, 'trusted-proxies: ["127.0.0.1"]\n')) as served:
        lines = CIMultiDict([*AUTHORISED.items(), ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-For", "203.0.113.9")])
        got = await served.request("GET", DEBUG, headers=lines)
    assert (got.status, got.json) == (403, {"error": "remote management disabled"})


async def test_refusals_never_repeat_the_key(tmp_path: Path) -> None:
    secrets = ("s3cret-one", "s3cret-two")
    async with gateway(tmp_path, secured(tmp_path)) as served:
        for secret, name in itertools.product(secrets, ("Authorization", "X-Management-Key")):
            got = await served.request("GET", DEBUG, headers={name: secret})
            assert secret.encode() not in got.body


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_log_in_callback_needs_no_key_and_bans_nobody(tmp_path: Path, method: str) -> None:
    text = secured(tmp_path, "management-profile: stock\n")
    async with gateway(tmp_path, text) as served:
        tries = [await served.request(method, CALLBACK, headers={}) for _ in range(9)]
        right = await served.request("GET", DEBUG)
    assert {got.status for got in tries} == {404}
    assert right.status == 200


async def test_five_images_on_a_website_do_not_lock_the_operator_out(tmp_path: Path) -> None:
    image = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    async with gateway(tmp_path, secured(tmp_path)) as served:
        for _ in range(9):
            await served.request("GET", "/v0/management/x.png", headers=image)
        right = await served.request("GET", DEBUG)
    assert right.status == 200


async def test_a_full_queue_of_key_checks_says_when_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier, "MOST_WAITING", 0)
    monkeypatch.setattr(verifier, "RESERVED", 0)
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("GET", DEBUG)
    assert (got.status, got.headers["retry-after"]) == (429, "1")
