import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

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


@contextlib.contextmanager
def requested(path: str, port: int) -> Iterator[BinaryIO]:
    """The answer to a request, from outside the server's process: what it sent is there after its end, too."""
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as answer:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        yield answer


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
