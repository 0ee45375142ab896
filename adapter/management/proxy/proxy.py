"""Streaming proxy for every path that is not ours: both ways unbuffered, in constant memory."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from adapter.management.admission import HeldKey
from adapter.management.client.guarded_client import GuardedClient, passing
from adapter.management.client.http import Attempts, HttpTransport, SentBefore, reason_of
from adapter.management.client.transport import Reply, Request
from adapter.management.proxy.headers import (
    asks_for_upgrade,
    fetch_site,
    has_body,
    incoming,
    may_write,
    needs_key,
    outgoing,
    outgoing_query,
)
from adapter.management.proxy.headers import presented as presented_key
from adapter.management.switching.reloads import Reloads
from adapter.port import AdmissionAttempt, Admitted, Message, errors

Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_CONNECT_SECONDS: Final = 10.0
_AUTOMATIC: Final = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
_TELLING: Final = frozenset({401, 403})
_SHORT: Final = 65_536


class ClientGone(Exception):  # noqa: N818 - it says what happened
    """The client disconnected."""


class Proxy:
    """ASGI application that passes requests on to the gateway.

    On management paths clients are authenticated here; the gateway's answers to our own key are evaluated, so that a
    key it stopped accepting is not sent again. WebSocket upgrades are refused.
    """

    def __init__(self, transport: HttpTransport, client: GuardedClient, admission: HeldKey, reloads: Reloads) -> None:
        self._transport = transport
        self._client = client
        self._reloads = reloads
        self._admission = admission

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1003, "reason": "not passed on"})
            return
        if asks_for_upgrade(scope["headers"]):
            await _answer(send, 501, "Upgrades of the protocol are not passed on: connect to the gateway itself.")
            return
        if scope["method"] == "CONNECT":
            # to the gateway's server it asks for a tunnel, and ends the connection without an answer
            await _answer(send, 405, "Tunnels are not passed on.")
            return
        if not _path(scope).startswith("/"):
            # such as the `*` of OPTIONS; glued to the gateway's address it would name another host
            await _answer(send, 400, "What was asked for is no path.")
            return
        keyed = needs_key(scope["path"], scope["method"])
        if keyed and not await self._admitted(scope, send):
            return
        await self._pass_on(scope, receive, send, keyed=keyed)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start unless nothing can work; a gateway that is merely not up yet does not prevent it."""
        await receive()
        try:
            await self._client.release()
        except errors.GatewayError as error:
            if not passing(error):
                await self._client.close()
                await send({"type": "lifespan.startup.failed", "message": error.text})
                return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._client.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _admitted(self, scope: Message, send: Send) -> bool:
        peer = scope["client"][0] if scope.get("client") else ""
        decision = self._admission.admit(
            AdmissionAttempt(presented_key(scope["headers"]), peer, fetch_site(scope["headers"]))
        )
        if not isinstance(decision, Admitted):
            retry = [] if decision.retry_after is None else [(b"retry-after", str(decision.retry_after).encode())]
            await _send_json(send, decision.status, decision.body, retry)
            return False
        stopped = self._client.refused()
        if stopped is not None:
            await _answer(send, 502, stopped.text)
            return False
        return True

    async def _pass_on(self, scope: Message, receive: Receive, send: Send, *, keyed: bool) -> None:
        exchange = _Exchange(receive, send)
        writes = keyed and may_write(scope["path"], scope["method"])
        if writes:
            await self._reloads.let_in()
        try:
            async with self._request(scope, exchange, keyed=keyed) as answer:
                if keyed and answer.status in _TELLING:
                    await self._tell(scope, answer, exchange)
                    return
                if writes:
                    self._reloads.passed_on()
                await exchange.start(answer.status, incoming(answer.raw_headers))
                await exchange.stream(answer.content)
        except ClientGone:
            return
        except (aiohttp.ClientError, OSError, SentBefore, TimeoutError) as error:
            if exchange.started:
                # the answer is broken off, so that no client takes a part for the whole
                raise ConnectionResetError("the gateway broke off its answer") from None
            reason = reason_of(error)
            await _answer(send, 502, f"The gateway at {self._client.address} does not answer: {reason}. Is it running?")

    def _request(self, scope: Message, exchange: "_Exchange", *, keyed: bool) -> Any:
        headers = scope["headers"]
        query = scope.get("query_string", b"")
        query = query if keyed else outgoing_query(query, self._admission)
        url = URL(
            f"{self._transport.address}{_path(scope)}{'?' + query.decode('latin-1') if query else ''}", encoded=True
        )
        authorization = self._transport.authorization if keyed else None
        return self._transport.session().request(
            scope["method"],
            url,
            data=exchange.body() if has_body(headers) else None,
            headers=CIMultiDict(outgoing(headers, authorization=authorization, held_key=self._admission)),
            skip_auto_headers=_AUTOMATIC,
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS),
            trace_request_ctx=Attempts(),
        )

    async def _tell(self, scope: Message, answer: aiohttp.ClientResponse, exchange: "_Exchange") -> None:
        """Remember that our key was refused, and say so: the client's own was accepted."""
        body = await answer.content.read(_SHORT)
        header = {name.lower(): value for name, value in answer.headers.items()}
        try:
            self._client.learn(Request(scope["method"], scope["path"]), Reply(answer.status, header, body))
        except errors.GatewayError as error:
            await _answer(exchange.send, 502, error.text)


class _Exchange:
    """One request and its answer, on the client's side; notices when the client disconnects."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self.send = send
        self.started = False

    async def body(self) -> AsyncIterator[bytes]:
        more = True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            more = message.get("more_body", False)
            if message.get("body"):
                yield message["body"]

    async def start(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self.started = True
        await self.send({"type": "http.response.start", "status": status, "headers": headers})

    async def stream(self, content: aiohttp.StreamReader) -> None:
        """Hand the answer's body back as it comes; end with it, or when the client disconnects."""
        gone = asyncio.create_task(self._hung_up())
        copying = asyncio.create_task(self._copy(content))
        try:
            await asyncio.wait({gone, copying}, return_when=asyncio.FIRST_COMPLETED)
            if not copying.done():
                raise ClientGone
            await copying
        finally:
            for task in (gone, copying):
                task.cancel()
            await asyncio.gather(gone, copying, return_exceptions=True)

    async def _copy(self, content: aiohttp.StreamReader) -> None:
        async for part in content.iter_any():
            await self.send({"type": "http.response.body", "body": part, "more_body": True})
        await self.send({"type": "http.response.body", "body": b""})

    async def _hung_up(self) -> None:
        message = await self._receive()
        while message["type"] != "http.disconnect" and message.get("more_body", False):
            message = await self._receive()
        if message["type"] != "http.disconnect":
            message = await self._receive()
        if message["type"] != "http.disconnect":
            # only a disconnection is left to come; anything more is ignored
            await asyncio.Event().wait()


def _path(scope: Message) -> str:
    """The path as it was sent, encoded."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw.decode("latin-1").partition("?")[0]


async def _answer(send: Send, status: int, text: str) -> None:
    await _send_json(send, status, json.dumps({"error": text, "code": "gateway", "hint": ""}), [])


async def _send_json(send: Send, status: int, body: str, more: list[tuple[bytes, bytes]]) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body.encode())).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})
