"""Small servers on loopback ports: an upstream that does what a script says, and a SOCKS proxy before it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True)
class Received:
    """One request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


def answer(status: int = 200, body: bytes = b"{}", **headers: str) -> bytes:
    """Write a response; underscores in header names stand for hyphens."""
    lines = [f"HTTP/1.1 {status} Because", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


Script: TypeAlias = Callable[[Received], bytes | None]


@dataclass
class Upstream:
    """A running upstream. The script returns the bytes to send: empty closes the connection, None never answers.

    With ``hang_up`` it closes the connection after each answer.
    """

    script: Script
    hang_up: bool = False
    port: int = 0
    received: list[Received] = field(default_factory=list)
    connections: int = 0
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    open: dict[asyncio.StreamWriter, asyncio.Event] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        ended = self.open[writer] = asyncio.Event()
        try:
            while (request := await _read(reader)) is not None:
                self.received.append(request)
                response = self.script(request)
                if response is None:
                    self.waiting.set()
                    await reader.read()
                    self.hung_up.set()
                if not response:
                    break
                writer.write(response)
                await writer.drain()
                if self.hang_up:
                    break
        except ConnectionError:
            self.hung_up.set()
        finally:
            writer.close()
            ended.set()

    async def close(self) -> None:
        """Hang up on everybody, and wait until every connection has noticed."""
        for writer in self.open:
            writer.close()
        for ended in self.open.values():
            await ended.wait()


async def _read(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, target, headers, body)


@asynccontextmanager
async def upstream(script: Script) -> AsyncIterator[Upstream]:
    """Run an upstream on a free port of the loopback interface."""
    running = Upstream(script)
    server = await asyncio.start_server(running.serve, "127.0.0.1", 0, limit=16 * 1024 * 1024)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()
        await running.close()


@dataclass
class SocksProxy:
    """A SOCKS5 proxy that sends every connection to one port, whatever name it is asked for."""

    to_port: int
    port: int = 0
    asked: list[str] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        *_, kind, length = await reader.readexactly(5)
        rest = await reader.readexactly(length + 2 if kind == 3 else 5)
        self.asked.append(rest[:-2].decode("latin-1") if kind == 3 else "address")
        writer.write(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
        behind_reader, behind_writer = await asyncio.open_connection("127.0.0.1", self.to_port)
        await asyncio.gather(_pump(reader, behind_writer), _pump(behind_reader, writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
    finally:
        writer.close()


@asynccontextmanager
async def socks_proxy(to_port: int) -> AsyncIterator[SocksProxy]:
    """Run a SOCKS proxy on a free port of the loopback interface."""
    running = SocksProxy(to_port)
    server = await asyncio.start_server(running.serve, "127.0.0.1", 0)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()
