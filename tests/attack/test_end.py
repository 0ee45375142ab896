"""The end of the process: SIGTERM is obeyed in time, whatever is open or waited for."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing

import pytest

from adapter.clock import SystemClock
from adapter.contract.expectations import own
from tests.attack.conftest import Target

pytestmark = pytest.mark.slow

MOST_SECONDS = 15
HALF = b"GET /v0/management/poolkeeper/pool HTTP/1.1\r\nHost: a\r\n"


def opened(stack: ExitStack, port: int, data: bytes) -> socket.socket:
    connection = stack.enter_context(closing(socket.create_connection(("127.0.0.1", port), timeout=30)))
    if data:
        connection.sendall(data)
    return connection


def test_sigterm_ends_the_process_beside_streams_idle_connections_and_probes_without_an_answer(
    target: Target,
) -> None:
    settings = {"accountSource": "api_key", "timeoutSeconds": 60, "retries": 3}
    number = int(target.client.own("POST", "inspections", settings)["run"]["id"])
    stream = (
        f"GET {own('inspections/events')}?run={number} HTTP/1.1\r\nHost: a\r\n"
        f"X-Management-Key: {target.key}\r\nAccept: text/event-stream\r\n\r\n"
    ).encode()
    with ExitStack() as stack:
        streams = [opened(stack, target.port, stream) for _ in range(20)]
        for connection in streams:
            assert connection.recv(16).startswith(b"HTTP/1.1 200")
        for data in [b""] * 20 + [HALF] * 20:
            opened(stack, target.port, data)
        clock = SystemClock()
        began = clock.monotonic()
        target.service.stop()
        assert clock.monotonic() - began < MOST_SECONDS
