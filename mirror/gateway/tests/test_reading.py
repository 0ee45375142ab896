import asyncio
import contextlib
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO

import pytest

from gateway.internal.reading import Reading, ReadingLeft
from tests.management.serving import AUTHORISED, gateway, secured


async def test_what_a_function_returns_or_raises_is_handed_on() -> None:
    reading = Reading()
    assert await reading.run(int, "2a", base=16) == 42
    with pytest.raises(ValueError, match="invalid literal"):
        await reading.run(int, "x")


async def test_what_is_left_is_not_waited_for_and_nothing_begins_after_it() -> None:
    reading, never = Reading(), threading.Event()
    waiting = asyncio.create_task(reading.run(never.wait))
    await asyncio.sleep(0)
    reading.leave()
    with pytest.raises(ReadingLeft):
        await waiting
    with pytest.raises(ReadingLeft):
        await reading.run(int, "1")
    never.set()


async def test_the_runtime_stops_beside_a_reload_that_takes_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never, begun = threading.Event(), threading.Event()

    def parsing(*_: object) -> None:
        begun.set()
        never.wait()

    async with gateway(tmp_path, secured(tmp_path)) as served:
        before = served.runtime.configuration
        monkeypatch.setattr(served.runtime._store, "read", parsing)
        reload = asyncio.create_task(served.runtime.reload())
        look = asyncio.create_task(served.runtime.take_away())
        await asyncio.to_thread(begun.wait)
    await asyncio.gather(reload, look)
    assert served.runtime.configuration is before
    never.set()


SERVED = """
import asyncio, sys
from pathlib import Path
from gateway.internal import serving
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

serving._LAST_REQUESTS_SECONDS = 0
runtime = Runtime(Path(sys.argv[1]), environment={}, local_password=None)
inner = build_application(runtime)


async def application(scope, receive, send):
    if scope["type"] != "http":
        await inner(scope, receive, send)
        return
    if scope["path"] == "/begun":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
    print("waiting", flush=True)
    await asyncio.Event().wait()


sys.exit(serving.serve(application, runtime))
"""


def test_requests_that_are_cut_off_at_the_end_leave_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(secured(tmp_path, "port: 0\n"))
    source = Path(__file__).parent.parent / "src"
    command = [sys.executable, "-c", SERVED, str(tmp_path / "config.yaml")]
    with subprocess.Popen(  # noqa: S603 - the command is this test's own
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={"PYTHONPATH": str(source)}
    ) as process:
        assert process.stdout is not None
        port = int(line_with("address=http", process.stdout).rpartition(":")[2])
        with requested("/begun", port) as begun, requested("/other", port) as other:
            for _ in range(2):
                line_with("waiting", process.stdout)
            process.send_signal(signal.SIGTERM)
            assert [begun.readline(), other.readline()] == [
                b"HTTP/1.1 200 OK\r\n",
                b"HTTP/1.1 503 Service Unavailable\r\n",
            ]
        rest = process.stdout.read()
    assert process.returncode == 0, rest
    assert "Traceback" not in rest


@contextlib.contextmanager
def requested(path: str, port: int) -> Iterator[BinaryIO]:
    """The answer to a request, from outside the server's process: what it sent is there after its end, too."""
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as answer:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        yield answer


def line_with(text: str, output: IO[str]) -> str:
    seen = []
    for line in output:
        if text in line:
            return line
        seen.append(line)
    raise AssertionError(f"no line with {text} in {seen}")


async def test_a_configuration_that_is_too_large_is_neither_read_nor_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.internal.configuration.store.LONGEST_CONFIGURATION", 2048)
    async with gateway(tmp_path, secured(tmp_path)) as served:
        text = served.runtime.text
        put = await served.request(
            "PUT", "/v0/management/config.yaml", data=f"{text}#{'x' * 2048}\n".encode(), headers=AUTHORISED
        )
        assert (put.status, served.runtime.config_path.read_text()) == (422, text)
        served.runtime.config_path.write_text(text + "#" * 2048)
        await served.runtime.reload()
        assert served.runtime.text == text
