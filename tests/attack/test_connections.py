"""Attacks before authentication: none needs a key."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from adapter.contract.expectations import MANAGEMENT, own
from tests.attack.conftest import Target
from tests.attack.wire import answered, closed_by_the_server, connected, poured
from tests.system.client import path_of

GET = b"GET /v0/management/poolkeeper/info HTTP/1.1\r\nHost: h\r\n"
OTHER_SITE = "\r\nSec-Fetch-Site: cross-site\r\n"
MEGABYTE = 1024 * 1024

pytestmark = pytest.mark.slow


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """Start the service with a soft limit of 256 descriptors, which it may raise."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_heads_beyond_the_limits_are_refused_and_take_no_memory(target: Target) -> None:
    before = target.memory()

    assert answered(target.port, GET + b"X: a\r\n" * 190 + b"\r\n") == 401
    for head, piece in ((GET, b"X: a\r\n" * 10_000), (GET + b"X: ", b"a" * 65_536)):
        status, sent = poured(target.port, head, piece, 64 * MEGABYTE)
        assert status in {400, 431, 0}
        assert sent < 16 * MEGABYTE
    assert target.memory() - before < 20


def test_slow_heads_and_idle_connections_are_closed_within_the_head_time(target: Target) -> None:
    with ExitStack() as connections:
        lines = [connections.enter_context(connected(target.port)) for _ in range(60)]
        for line in lines[:30]:
            line.sendall(GET)
        assert all(closed_by_the_server(line) for line in lines)
    assert target.client.ask("GET", own("info")).status == 200


@pytest.mark.usefixtures("few_descriptors")
def test_idle_connections_lock_none_out_at_256_descriptors(target: Target) -> None:
    limits = Path(f"/proc/{target.service.process.pid}/limits").read_text("ascii")
    assert int(limits.partition("Max open files")[2].split()[0]) > 256
    with ExitStack() as connections:
        for _ in range(150):
            connections.enter_context(connected(target.port))
        assert [target.client.ask("GET", own("info")).status for _ in range(5)] == [200] * 5


def test_a_body_is_refused_before_it_is_held_in_memory(target: Target) -> None:
    before = target.memory()
    key = f"X-Management-Key: {target.key}\r\n".encode()
    head = b"POST " + own("inspections").encode() + b" HTTP/1.1\r\nHost: h\r\n" + key
    head += b"Content-Type: application/json\r\nContent-Length: 500000000\r\n\r\n"

    status, sent = poured(target.port, head, b"a" * 65_536, 64 * MEGABYTE)

    assert status in {413, 0}
    assert sent < 32 * MEGABYTE
    assert target.memory() - before < 40


def test_requests_without_a_key_never_have_us_banned_at_the_gateway(target: Target) -> None:
    for method in ("DELETE", "HEAD", "PUT", "PATCH"):
        line = f"{method} {MANAGEMENT}/oauth-callback HTTP/1.1\r\nHost: h{OTHER_SITE}\r\n".encode()
        for _ in range(6):
            answered(target.port, line)

        assert target.client.gateway("GET", "debug").status == 200, method
        assert target.gateway.gateway("GET", "debug").status == 200, method
        assert target.client.ask("GET", path_of("pool", source="api_key")).status == 200, method


def test_a_page_of_another_site_never_locks_the_operator_out(target: Target) -> None:
    for path in (f"{MANAGEMENT}/x.png", own("info"), own("info/session")):
        for _ in range(6):
            answered(target.port, f"GET {path} HTTP/1.1\r\nHost: h{OTHER_SITE}\r\n".encode())
            answered(
                target.port,
                f"GET {path} HTTP/1.1\r\nHost: h{OTHER_SITE}X-Management-Key: no\r\n\r\n".encode(),
            )

    assert target.client.ask("GET", own("info")).status == 200


def test_five_wrong_keys_still_ban_their_address(target: Target) -> None:
    replies = [target.client.ask("POST", own("info/session"), {"key": "wrong"}, key="") for _ in range(6)]
    ban = replies[5]

    assert [reply.status for reply in replies] == [401] * 5 + [403]
    assert "banned" in ban.body["error"]
    assert ban.body["hint"]
    assert int({name.lower(): value for name, value in ban.headers.items()}["retry-after"]) > 0
    assert target.client.ask("GET", own("info"), key="wrong").status == 403
