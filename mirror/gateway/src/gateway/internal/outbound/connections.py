"""The pools of connections a call can use, one for each way out."""

from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import aiohttp
from aiohttp_socks import ProxyConnector, ProxyType

from gateway.connection_limits import api_call_connections
from gateway.internal.outbound.guard import Guard, parse_address
from gateway.internal.outbound.guarded_connector import KEEP_SECONDS, GuardedConnector
from gateway.internal.outbound.proxy import Proxy
from gateway.internal.outbound.repeating import never_repeating
from gateway.internal.outbound.resolver import GuardedResolver

_LONGEST_HEADER_LINE = 64 * 1024
_MOST_SOCKS_POOLS = 16
_NO_LIBRARY_HEADERS = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")


@dataclass(slots=True)
class _SocksPool:
    session: aiohttp.ClientSession
    users: int = 0


class Connections:
    """Pooled connections: to trusted places, to public ones, and through each SOCKS proxy.

    Trusted and public connections never mix: one that was opened to an inner address because the configuration named
    it is not used for a call that must stay outside. Cookies are never kept. To be used within one event loop.
    """

    def __init__(self) -> None:
        self._resolver: GuardedResolver | None = None
        self._open: aiohttp.ClientSession | None = None
        self._guarded: aiohttp.ClientSession | None = None
        self._streams: aiohttp.ClientSession | None = None
        self._socks: OrderedDict[str, _SocksPool] = OrderedDict()

    def trusted(self) -> aiohttp.ClientSession:
        """Return the session that connects to any address."""
        if self._open is None:
            self._open = _session(aiohttp.TCPConnector(limit=api_call_connections(), keepalive_timeout=KEEP_SECONDS))
        return self._open

    def streams(self) -> aiohttp.ClientSession:
        """Return the session for requests of clients, of which as many run at once as there are clients."""
        if self._streams is None:
            self._streams = _session(aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_SECONDS))
        return self._streams

    def guarded(self, guard: Guard) -> aiohttp.ClientSession:
        """Return the session that connects to names only where the guard allows their addresses."""
        resolver = self._guarded_resolver()
        resolver.guard = guard
        if self._guarded is None:
            self._guarded = _session(GuardedConnector(resolver, api_call_connections()))
        return self._guarded

    async def resolve(self, guard: Guard, proxy: Proxy) -> str:
        """Return one address of a proxy the guard allows; raise ``AddressBlocked`` when it has none."""
        if parse_address(proxy.host):
            return proxy.host
        resolver = self._guarded_resolver()
        resolver.guard = guard
        return (await resolver.resolve(proxy.host, proxy.port))[0]["host"]

    @asynccontextmanager
    async def through_socks(self, proxy: Proxy, host: str) -> AsyncIterator[aiohttp.ClientSession]:
        """Lend the session of a SOCKS proxy, which is reached at ``host``; idle ones beyond sixteen are closed."""
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
