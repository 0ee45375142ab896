"""The limits as a gateway's clients meet them, over real connections."""

import asyncio
import os
import signal
import socket
from pathlib import Path

from starlette.types import Message, Receive, Scope, Send

from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime
from gateway.internal.serving import serve
from tests.management.serving import secured


def asked(port: int, head: bytes) -> bytes:
    """Send a head over a connection of its own and return the whole answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_a_served_gateway_has_the_limits(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    (tmp_path / "config.yaml").write_text(secured(tmp_path, f"port: {port}\n"))
    runtime = Runtime(tmp_path / "config.yaml", environment={}, local_password=None, watch=False)
    inner = build_application(runtime)
    answers: list[bytes] = []

    async def attack() -> None:
        long = b"GET /healthz HTTP/1.1\r\nHost: h\r\nX-A: " + b"a" * 65536 + b"\r\n\r\n"
        good = b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + b"X-A: 1\r\n" * 190 + b"\r\n"
        answers.extend([await asyncio.to_thread(asked, port, head) for head in (long, good)])

    attacks: list[asyncio.Task[None]] = []

    def ended(_: asyncio.Task[None]) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        async def then_attack(message: Message) -> None:
            await send(message)
            if message["type"] == "lifespan.startup.complete":
                attacks.append(asyncio.create_task(attack()))
                attacks[0].add_done_callback(ended)

        await inner(scope, receive, then_attack if scope["type"] == "lifespan" else send)

    assert serve(application, runtime) == 0
    assert [answer[9:12] for answer in answers] == [b"431", b"200"]
