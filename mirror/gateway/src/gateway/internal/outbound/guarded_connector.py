"""Connections that carry a request only after the guard has seen the peer they lead to."""

import aiohttp
from aiohttp.client import ClientTimeout
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from gateway.internal.outbound.failure import AddressBlocked
from gateway.internal.outbound.resolver import GuardedResolver

KEEP_SECONDS = 4.0
"""Less than upstreams keep connections, so that few are closed under a request."""


class GuardedConnector(aiohttp.TCPConnector):
    """Pool of connections to addresses the guard of its resolver allows.

    The resolver hides refused addresses of a name. The peer of the connection is checked as well, before the first
    byte is sent: a spelling of an address that the client takes for a literal never reaches the resolver. A kept
    connection is checked again, so that an address taken off the allow-list is out of reach at once.
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
        """Return a connection whose peer may be called; raise ``AddressBlocked`` for any other."""
        connection = await super().connect(req, traces, timeout)
        transport = connection.transport
        peer = transport.get_extra_info("peername") if transport is not None else None
        if not isinstance(peer, tuple) or not self._guarded_by.guard.allows(str(peer[0])):
            connection.close()
            raise AddressBlocked(req.url.raw_host or "the host")
        return connection
