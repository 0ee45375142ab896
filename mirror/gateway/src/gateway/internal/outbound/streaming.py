"""Answers that are relayed while they arrive."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field

import aiohttp
from yarl import URL

from gateway.internal.outbound.connections import Connections, ConnectionUse
from gateway.internal.outbound.failure import CLIENT_ERRORS, FailureKind, OutboundFailed, explain
from gateway.internal.outbound.proxy import Proxy
from gateway.internal.outbound.redirects import Hop, multimap

CONNECT_SECONDS = 30.0
PIECE = 64 * 1024
_LEAST_STATUS, _MOST_STATUS = 200, 599
_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)


@dataclass(slots=True)
class Stream:
    """An answer with an unread body, which ``close`` ends in any case; ``header`` has sorted canonical names."""

    status: int
    header: Mapping[str, tuple[str, ...]] = field(repr=False)
    _response: aiohttp.ClientResponse = field(repr=False)
    _open: AsyncExitStack = field(repr=False)

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives, in pieces of at most ``PIECE`` bytes; little more of it waits in memory.

        Raises:
            OutboundFailed: It broke off.
        """
        try:
            while chunk := await self._response.content.read(PIECE):
                yield chunk
        except CLIENT_ERRORS as error:
            raise explain(error, reading=True) from None

    async def close(self) -> None:
        """Release the connection, or cut it when there is more to come, which stops the upstream."""
        if not self._response.content.at_eof():
            self._response.close()
        await self._open.aclose()


async def open_stream(connections: Connections, hop: Hop, proxy: Proxy) -> Stream:
    """Send a request, only once, and return its answer after the headers. Redirects are not followed.

    Raises:
        OutboundFailed: There was no answer.
    """
    use = ConnectionUse()
    try:
        return await _open(connections, hop, proxy, use)
    except CLIENT_ERRORS as error:
        raise explain(error, reused=use.reused) from None


async def _open(connections: Connections, hop: Hop, proxy: Proxy, use: ConnectionUse) -> Stream:
    stack = AsyncExitStack()
    try:
        if proxy.socks:
            session = await stack.enter_async_context(connections.through_socks(proxy, proxy.host))
        else:
            session = connections.streams()
        response = await stack.enter_async_context(_request(session, hop, proxy, use))
    except BaseException:
        await stack.aclose()
        raise
    if not _LEAST_STATUS <= response.status <= _MOST_STATUS:
        await stack.aclose()
        raise OutboundFailed(FailureKind.UNKNOWN, "the answer is not HTTP")
    return Stream(response.status, multimap(response.headers.items()), response, stack)


def _request(
    session: aiohttp.ClientSession, hop: Hop, proxy: Proxy, use: ConnectionUse
) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
    return session.request(
        hop.method,
        URL(hop.url, encoded=True),
        headers=hop.header,
        data=hop.body or None,
        proxy=None if proxy.socks else proxy.url or None,
        allow_redirects=False,
        timeout=_TIMEOUT,
        trace_request_ctx=use,
    )
