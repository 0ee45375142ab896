"""Answers that are passed on while they arrive."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field

import aiohttp
from yarl import URL

from gateway.internal.outbound.connections import Connections
from gateway.internal.outbound.failure import CLIENT_ERRORS, FailureKind, OutboundFailed, explain
from gateway.internal.outbound.headers import multimap
from gateway.internal.outbound.proxy import Proxy
from gateway.internal.outbound.redirects import Hop
from gateway.internal.outbound.repeating import Road

CONNECT_SECONDS = 30.0
PIECE = 64 * 1024
_LEAST_STATUS, _MOST_STATUS = 200, 599
_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)


@dataclass(slots=True)
class Stream:
    """An answer whose body has yet to be read. ``close`` ends it, whether it was read or not.

    Attributes:
        header: Canonical names, sorted; each with its values in order.
    """

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
        """Give the connection back, or cut it when there is more to come: the upstream stops then."""
        if not self._response.content.at_eof():
            self._response.close()
        await self._open.aclose()


async def open_stream(connections: Connections, hop: Hop, proxy: Proxy) -> Stream:
    """Send a request and return its answer once the headers are there. Redirects are not followed.

    It is sent once, also when a kept connection turns out to be closed.

    Raises:
        OutboundFailed: There was no answer.
    """
    road = Road()
    try:
        return await _open(connections, hop, proxy, road)
    except CLIENT_ERRORS as error:
        raise explain(error, kept=road.kept) from None


async def _open(connections: Connections, hop: Hop, proxy: Proxy, road: Road) -> Stream:
    stack = AsyncExitStack()
    try:
        if proxy.socks:
            session = await stack.enter_async_context(connections.through_socks(proxy, proxy.host))
        else:
            session = connections.streams()
        response = await stack.enter_async_context(_request(session, hop, proxy, road))
    except BaseException:
        await stack.aclose()
        raise
    if not _LEAST_STATUS <= response.status <= _MOST_STATUS:
        await stack.aclose()
        raise OutboundFailed(FailureKind.UNKNOWN, "the answer is not HTTP")
    return Stream(response.status, multimap(response.headers.items()), response, stack)


def _request(
    session: aiohttp.ClientSession, hop: Hop, proxy: Proxy, road: Road
) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
    return session.request(
        hop.method,
        URL(hop.url, encoded=True),
        headers=hop.header,
        data=hop.body or None,
        proxy=None if proxy.socks else proxy.url or None,
        allow_redirects=False,
        timeout=_TIMEOUT,
        trace_request_ctx=road,
    )
