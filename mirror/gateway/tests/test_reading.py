import asyncio
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gateway.internal.listening import listen
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
        async def started(message):
            await send(message)
            if message["type"] == "lifespan.startup.complete":
                asyncio.get_running_loop().create_task(call())
        await inner(scope, receive, started)
        return
    if scope["path"] == "/begun":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
    print("waiting", flush=True)
    await asyncio.Event().wait()


async def call():
    port = int(sys.argv[2])
    for path in ("/begun", "/other"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n".encode())
        asyncio.get_running_loop().create_task(show(reader, writer))


async def show(reader, writer):
    print((await reader.read()).partition(b"\\r\\n")[0], flush=True)


sys.exit(serving.serve(application, runtime))
"""


def test_requests_that_are_cut_off_at_the_end_leave_no_traceback(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listener:
        free_port = listener.getsockname()[1]
    (tmp_path / "config.yaml").write_text(secured(tmp_path, f"port: {free_port}\n"))
    source = Path(__file__).parent.parent / "src"
    command = [sys.executable, "-c", SERVED, str(tmp_path / "config.yaml"), str(free_port)]
    with subprocess.Popen(  # noqa: S603 - the command is this test's own
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={"PYTHONPATH": str(source)}
    ) as process:
        assert process.stdout is not None
        assert [process.stdout.readline(), process.stdout.readline()] == ["waiting\n", "waiting\n"]
        process.send_signal(signal.SIGTERM)
        answers, errors = process.communicate(timeout=50)
    assert process.returncode == 0, errors
    assert sorted(answers.splitlines()) == ["b'HTTP/1.1 200 OK'", "b'HTTP/1.1 503 Service Unavailable'"]
    assert "Traceback" not in errors


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
