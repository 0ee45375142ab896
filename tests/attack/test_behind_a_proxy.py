"""Clients of a reverse proxy that the gateway trusts: kept out of our own paths as of the gateway's own."""

from __future__ import annotations

import pytest

from adapter.contract.expectations import own
from tests.attack.conftest import Target
from tests.attack.test_sessions_and_keys import asked, signed_in

pytestmark = pytest.mark.slow

FOREIGN = {"X-Forwarded-For": "127.0.0.1, 203.0.113.9"}
MANAGEMENT_DEBUG = "/v0/management/debug"


@pytest.fixture
def mode() -> str:
    """Only the embedded service knows which proxies its gateway trusts."""
    return "embedded"


@pytest.fixture
def trusted_proxies() -> str:
    """Trust the proxy on this machine."""
    return 'trusted-proxies: ["127.0.0.1"]\n'


def test_neither_key_nor_session_of_a_remote_client_opens_an_own_path(target: Target) -> None:
    key = {"X-Management-Key": target.key}
    cookie, csrf = signed_in(target)
    session = {"Cookie": cookie, "X-Poolkeeper-CSRF": csrf}

    assert asked(target, "GET", own("info"), key) == 200
    assert asked(target, "GET", own("info"), session) == 200
    for path, shown in ((MANAGEMENT_DEBUG, key), (own("info"), key), (own("info"), session)):
        assert asked(target, "GET", path, {**shown, **FOREIGN}) == 403
    assert asked(target, "POST", own("inspections"), {**session, **FOREIGN}) == 403


def test_wrong_keys_of_one_client_ban_nobody_else(target: Target) -> None:
    wrong = {"X-Management-Key": "a wrong key", **FOREIGN}
    for _ in range(8):
        asked(target, "GET", own("info"), wrong)

    assert asked(target, "GET", own("info"), {"X-Management-Key": target.key}) == 200
