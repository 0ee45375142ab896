"""Sessions and keys under attack: what a page of another site, a thief or a flood of wrong keys comes to."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse

import pytest

from adapter.contract.expectations import own
from tests.attack.conftest import Target
from tests.attack.wire import connected

pytestmark = pytest.mark.slow

FLOOD = 64
EVENTS = own("inspections/events")


@pytest.fixture
def allow_remote() -> bool:
    """Let every address of the loopback network in."""
    return True


def signed_in(target: Target) -> tuple[str, str]:
    """Sign in; return the cookie and the CSRF token."""
    with closing(HTTPConnection("127.0.0.1", target.port, timeout=30)) as connection:
        body = json.dumps({"key": target.key})
        connection.request("POST", own("info/session"), body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200
        line = answer.headers["Set-Cookie"]
        assert "HttpOnly" in line
        assert "samesite=strict" in line.lower()
        return line.partition(";")[0], json.loads(answer.read())["csrf"]


def asked(target: Target, method: str, path: str, headers: dict[str, str]) -> int:
    with closing(HTTPConnection("127.0.0.1", target.port, timeout=30)) as connection:
        connection.request(method, path, headers=headers)
        return connection.getresponse().status


def test_a_session_writes_only_with_its_token_and_ends_its_stream_at_sign_out(target: Target) -> None:
    cookie, csrf = signed_in(target)
    session = {"Cookie": cookie, "X-Poolkeeper-CSRF": csrf}
    with closing(HTTPConnection("127.0.0.1", target.port, timeout=30)) as connection:
        connection.request("GET", EVENTS, headers={"Cookie": cookie, "Accept": "text/event-stream"})
        stream: HTTPResponse = connection.getresponse()
        assert stream.status == 200

        assert asked(target, "POST", own("inspections"), {"Cookie": cookie}) == 403
        assert asked(target, "POST", own("inspections"), {**session, "X-Poolkeeper-CSRF": "x" * len(csrf)}) == 403
        assert asked(target, "DELETE", own("info/session"), session) == 204

        while stream.read1():
            pass
    assert asked(target, "GET", own("info"), {"Cookie": cookie}) == 401


def test_a_session_opens_no_path_of_the_gateway(target: Target) -> None:
    cookie, csrf = signed_in(target)

    assert asked(target, "GET", "/v0/management/debug", {"Cookie": cookie, "X-Poolkeeper-CSRF": csrf}) == 401


def test_a_flood_of_wrong_keys_leaves_the_right_one_and_health_checks_their_turn(target: Target) -> None:
    request = f"GET {own('info')} HTTP/1.1\r\nHost: h\r\nX-Management-Key: wrong\r\nConnection: close\r\n\r\n".encode()

    def wrong(number: int) -> int:
        with connected(target.port, source=f"127.9.{number}.1") as connection:
            connection.sendall(request)
            return int(connection.recv(65_536)[9:12])

    with ThreadPoolExecutor(FLOOD) as attackers:
        flood = [attackers.submit(wrong, number) for number in range(FLOOD)]
        assert asked(target, "GET", "/healthz", {}) == 200
        statuses = {request.result() for request in flood}
    assert statuses <= {401, 429}
    assert target.client.ask("GET", own("info")).status == 200
    assert asked(target, "GET", own("info"), {"X-Management-Key": target.key, "Sec-Fetch-Site": "same-origin"}) == 200
