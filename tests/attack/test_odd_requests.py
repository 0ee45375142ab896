"""Thousands of odd requests over raw sockets leave no error of the server, no traceback, and a healthy service."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from typing import Final

import pytest
import yaml

from adapter.contract.expectations import own
from tests.attack.conftest import Target
from tests.attack.odd_requests import odd_request

ANSWER: Final = re.compile(rb"HTTP/1\.[01] (5\d\d) [^\r]*\r\n")
LISTED: Final[Mapping[str, Mapping[bytes, bytes]]] = {
    "embedded": {b"502": b"/v0/management/latest-version"},
    "remote": {b"501": b"", b"502": b"/v0/management/latest-version"},
}
"""Answers with 5xx that may come in each mode, and a part of the request they answer.

The stock gateway, too, answers 502 `request_failed` to `latest-version` when it cannot ask for its newest release. The
front of another gateway passes no upgrade of the protocol on, which is 501.
"""
PARALLEL: Final = 8
MOST: Final = 65_536
SILENCE: Final = 1.0
"""Seconds after which a request that is not whole counts as unanswered."""


@pytest.fixture
def allow_remote() -> bool:
    """Let every address of the loopback network in."""
    return True


def exchanged(port: int, seed: int, request: bytes) -> bytes:
    """Send a request from an address of its own, so that no ban of one hides the others; return the answer."""
    source = f"127.{1 + seed % 200}.{seed // 200 % 250}.{1 + seed % 250}"
    answer = b""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 20, (source, 0)) as connection:
        connection.settimeout(SILENCE)
        connection.sendall(request)
        while len(answer) < MOST and (piece := connection.recv(MOST)):
            answer += piece
    return answer


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(200, marks=[pytest.mark.timeout(240)], id="reduced"),
        pytest.param(20_000, marks=[pytest.mark.soak, pytest.mark.timeout(1800)], id="long"),
    ],
)
def test_no_odd_request_makes_the_server_fail(target: Target, mode: str, count: int) -> None:
    client_key = yaml.safe_load(target.config.read_text("utf-8"))["api-keys"][0]
    keys = (
        *[f"X-Management-Key: {target.key}".encode(), f"Authorization: Bearer {target.key}".encode()] * 3,
        *[f"Authorization: Bearer {client_key}".encode(), f"X-Api-Key: {client_key}".encode()] * 2,
        b"X-Management-Key: wrong",
    )

    def one(seed: int) -> tuple[bytes, bytes]:
        request = odd_request(Random(seed), keys)
        return request, exchanged(target.port, seed, request)

    wrong, statuses = [], Counter[str]()
    with ThreadPoolExecutor(PARALLEL) as pool:
        for request, answer in pool.map(one, range(count)):
            statuses[answer[9:12].decode("ascii", "replace") or "none"] += 1
            if not all(LISTED[mode].get(status, b"\n\n") in request for status in ANSWER.findall(answer)):
                wrong.append((request[:400], ANSWER.findall(answer), answer[-300:]))
    print(f"\n{count} odd requests: {dict(sorted(statuses.items()))}")
    assert not wrong, wrong[:10]
    lines = target.service.lines
    traces = ["\n".join(lines[number : number + 60]) for number, line in enumerate(lines) if "Traceback" in line]
    assert not traces, traces[0]
    assert "Task exception" not in target.service.output
    assert target.key not in target.service.output
    assert target.client.ask("GET", own("info")).status == 200
    assert target.client.ask("GET", "/healthz").status == 200
