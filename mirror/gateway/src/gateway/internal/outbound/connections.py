"""Pools of connections, one for each way out."""

import socket
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client import ClientTimeout
from aiohttp.connector import Connection
from aiohttp.tracing import Trace
from aiohttp_socks import ProxyConnector, ProxyType

from gateway.connection_limits import api_call_connections
from gateway.internal.outbound.failure import AddressBlocked
from gateway.internal.outbound.guard import Guard, parse_address
from gateway.internal.outbound.proxy import Proxy


class GuardedResolver(AbstractResolver):
    """Resolves through another resolver and drops addresses that ``guard`` refuses; it is set before each call.

    The client connects to exactly the returned addresses, so a name cannot resolve to one address for the check and to
    another for the connection.
    """

    def __init__(self, names: AbstractResolver) -> None:
        self._names = names
        self.guard = Guard()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Resolve a name; raise ``AddressBlocked`` when all of its addresses are refused."""
        results = await self._names.resolve(host, port, family)
        allowed = [result for result in results if self.guard.allows(result["host"])]
        if results and not allowed:
            raise AddressBlocked(host)
        return allowed

    async def close(self) -> None:
        await self._names.close()


KEEP_SECONDS = 4.0
"""Shorter than upstreams keep connections, so that few are closed under a request."""


class GuardedConnector(aiohttp.TCPConnector):
    """Pool of connections to addresses allowed by the guard of its resolver.

    The resolver drops refused addresses of a name. The peer of the connection is checked as well, before the first byte
    is sent: a spelling of an address that the client takes for a literal never reaches the resolver. A kept connection
    is checked again, so that an address removed from the allow-list is unreachable at once.
    """

    def __init__(self, resolver: GuardedResolver, most: int) -> None:
        super().__init__(limit=most, keepalive_timeout=KEEP_SECONDS, resolver=resolver, use_dns_cache=False)
        self._guarded_by = resolver

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: ClientTimeout,  # noqa: ASYNC109 - the signature of the connector
    ) -> Connection:
        """Return a connection with an allowed peer; raise ``AddressBlocked`` for any other."""
        connection = await super().connect(req, traces, timeout)
        transport = connection.transport
        peer = transport.get_extra_info("peername") if transport is not None else None
        if not isinstance(peer, tuple) or not self._guarded_by.guard.allows(str(peer[0])):
            connection.close()
            raise AddressBlocked(req.url.raw_host or "the host")
        return connection


class ConnectionUse:
    """Record of a request's connection, filled in while it is sent."""

    reused = False
    noted = False


def never_repeating() -> aiohttp.TraceConfig:
    """Return a trace that prevents the library from repeating a request, and fills in its ``ConnectionUse``.

    aiohttp repeats an idempotent request once when the connection is closed under it. On a kept connection the upstream
    may have closed it while it was idle, or may have seen the request: the two look alike.
    """
    config = aiohttp.TraceConfig()
    config.on_connection_reuseconn.append(_note_reused)
    config.on_connection_create_start.append(_note_created)
    return config


async def _note_reused(_session: aiohttp.ClientSession, context: SimpleNamespace, _params: object) -> None:
    _note(context.trace_request_ctx, reused=True)


async def _note_created(_session: aiohttp.ClientSession, context: SimpleNamespace, _params: object) -> None:
    _note(context.trace_request_ctx, reused=False)


def _note(use: object, *, reused: bool) -> None:
    if not isinstance(use, ConnectionUse):
        return
    if use.noted:
        raise aiohttp.ServerDisconnectedError
    use.noted, use.reused = True, reused


_LONGEST_HEADER_LINE = 64 * 1024
_MOST_SOCKS_POOLS = 16
_NO_LIBRARY_HEADERS = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")


@dataclass(slots=True)
class _SocksPool:
    session: aiohttp.ClientSession
    users: int = 0


class Connections:
    """Pooled connections: to trusted places, to public ones, and through each SOCKS proxy.

    Trusted and public connections never mix: a connection to an inner address named in the configuration is not used
    for a call that must stay outside. Cookies are never kept. For use within one event loop.
    """

    def __init__(self) -> None:
        self._resolver: GuardedResolver | None = None
        self._open: aiohttp.ClientSession | None = None
        self._guarded: aiohttp.ClientSession | None = None
        self._streams: aiohttp.ClientSession | None = None
        self._socks: OrderedDict[str, _SocksPool] = OrderedDict()

    def trusted(self) -> aiohttp.ClientSession:
        """Return the session for any address."""
        if self._open is None:
            self._open = _session(aiohttp.TCPConnector(limit=api_call_connections(), keepalive_timeout=KEEP_SECONDS))
        return self._open

    def streams(self) -> aiohttp.ClientSession:
        """Return the session for clients' requests, whose number is limited by the clients."""
        if self._streams is None:
            self._streams = _session(aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_SECONDS))
        return self._streams

    def guarded(self, guard: Guard) -> aiohttp.ClientSession:
        """Return the session for addresses that the guard allows."""
        resolver = self._guarded_resolver()
        resolver.guard = guard
        if self._guarded is None:
            self._guarded = _session(GuardedConnector(resolver, api_call_connections()))
        return self._guarded

    async def resolve(self, guard: Guard, proxy: Proxy) -> str:
        """Return an allowed address of a proxy; raise ``AddressBlocked`` when it has none."""
        if parse_address(proxy.host):
            return proxy.host
        resolver = self._guarded_resolver()
        resolver.guard = guard
        return (await resolver.resolve(proxy.host, proxy.port))[0]["host"]

    @asynccontextmanager
    async def through_socks(self, proxy: Proxy, host: str) -> AsyncIterator[aiohttp.ClientSession]:
        """Yield the session of a SOCKS proxy, which is reached at ``host``; idle ones beyond sixteen are closed."""
        key = f"{host} {proxy.url}"
        pool = self._socks.get(key)
        if pool is None:
            pool = self._socks[key] = _SocksPool(_session(_socks_connector(proxy, host)))
        self._socks.move_to_end(key)
        pool.users += 1
        try:
            yield pool.session
        finally:
            pool.users -= 1
            await self._close_surplus()

    async def close(self) -> None:
        """Close every connection; calls under way end with an error."""
        sessions = [self._open, self._guarded, self._streams, *(pool.session for pool in self._socks.values())]
        self._open = self._guarded = self._streams = self._resolver = None
        self._socks.clear()
        for session in filter(None, sessions):
            await session.close()

    def _guarded_resolver(self) -> GuardedResolver:
        if self._resolver is None:
            self._resolver = GuardedResolver(aiohttp.ThreadedResolver())
        return self._resolver

    async def _close_surplus(self) -> None:
        surplus = len(self._socks) - _MOST_SOCKS_POOLS
        idle = [key for key, pool in self._socks.items() if not pool.users]
        for key in idle[: max(surplus, 0)]:
            await self._socks.pop(key).session.close()


def _session(connector: aiohttp.BaseConnector) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        trace_configs=[never_repeating()],
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
        skip_auto_headers=_NO_LIBRARY_HEADERS,
        max_line_size=_LONGEST_HEADER_LINE,
        max_field_size=_LONGEST_HEADER_LINE,
    )


def _socks_connector(proxy: Proxy, host: str) -> ProxyConnector:
    split = urlsplit(proxy.url)
    return ProxyConnector(
        host=host,
        port=proxy.port,
        proxy_type=ProxyType.SOCKS5,
        username=unquote(split.username) if split.username else None,
        password=unquote(split.password) if split.password else None,
        rdns=True,
        limit=api_call_connections(),
        keepalive_timeout=KEEP_SECONDS,
    )
