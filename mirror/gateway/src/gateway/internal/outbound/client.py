"""HTTP client of the gateway, with redirects and limits."""

import zlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

import aiohttp
from yarl import URL

from gateway import __version__
from gateway.internal.outbound.body import BodyRefused, read_body
from gateway.internal.outbound.connections import Connections, ConnectionUse
from gateway.internal.outbound.failure import CLIENT_ERRORS, AddressBlocked, FailureKind, OutboundFailed, explain
from gateway.internal.outbound.guard import Guard, place_of, sent_url
from gateway.internal.outbound.proxy import DIRECT, Proxy
from gateway.internal.outbound.redirects import MOST_REQUESTS, Hop, multimap, next_hop
from gateway.internal.outbound.streaming import Stream, open_stream

_USER_AGENT = f"gateway/{__version__}"
_REMOVED_BY_DECODING = ("content-encoding", "content-length")


@dataclass(frozen=True, slots=True)
class UpstreamAnswer:
    """An upstream's answer, of any status.

    Attributes:
        header: Canonical names, sorted; each with its values in order.
        truncated: True when the body was longer than the limit; the rest was not read.
    """

    status: int
    header: Mapping[str, tuple[str, ...]] = field(repr=False)
    body: bytes = field(repr=False)
    truncated: bool


class Outbound:
    """Sends calls over pooled connections; environment variables never choose a proxy. One per event loop."""

    def __init__(self) -> None:
        self._connections = Connections()

    async def send(
        self, hop: Hop, *, proxy: Proxy = DIRECT, guard: Guard | None = None, limit: int | None = None
    ) -> UpstreamAnswer:
        """Send a request and follow redirects as Go does, at most nine of them. Cancelling closes the connection.

        Args:
            hop: The request; its header names are canonical.
            proxy: The proxy.
            guard: Guard for addresses; None allows all.
            limit: Maximum of body bytes, after decompression; None means all of it, up to 64 MiB.

        Raises:
            OutboundFailed: There was no answer, or its body broke off.
        """
        hop = _with_user_as_header(hop)
        for _ in range(MOST_REQUESTS):
            use = ConnectionUse()
            try:
                answer = await self._send_hop(hop, proxy, guard, limit, use)
            except AddressBlocked as blocked:
                raise OutboundFailed(FailureKind.BLOCKED, str(blocked)) from None
            except CLIENT_ERRORS as error:
                raise explain(error, reused=use.reused) from None
            location = answer.header.get("Location", ("",))[0]
            following = next_hop(hop, answer.status, location)
            if following is None:
                return answer
            hop = following
        raise OutboundFailed(FailureKind.UNKNOWN, f"stopped after {MOST_REQUESTS} redirects")

    async def stream(self, hop: Hop, proxy: Proxy = DIRECT) -> Stream:
        """Send a request to a configured place and return its answer while it arrives; redirects are not followed.

        Raises:
            OutboundFailed: There was no answer.
        """
        return await open_stream(self._connections, hop, proxy)

    async def close(self) -> None:
        await self._connections.close()

    async def _send_hop(
        self, hop: Hop, proxy: Proxy, guard: Guard | None, limit: int | None, use: ConnectionUse
    ) -> UpstreamAnswer:
        headers = {"User-Agent": _USER_AGENT, **hop.header}
        unpack = "Accept-Encoding" not in headers and "Range" not in headers and hop.method != "HEAD"
        if unpack:
            headers["Accept-Encoding"] = "gzip"
        url = sent_url(hop.url)
        judged = _judging(url, proxy, guard)
        if not proxy.socks:
            session = self._connections.guarded(judged) if judged else self._connections.trusted()
            return await _exchange(session, hop, url, headers, proxy.url or None, use=use, unpack=unpack, limit=limit)
        address = await self._connections.resolve(judged, proxy) if judged else proxy.host
        async with self._connections.through_socks(proxy, address) as session:
            return await _exchange(session, hop, url, headers, None, use=use, unpack=unpack, limit=limit)


async def _exchange(
    session: aiohttp.ClientSession,
    hop: Hop,
    url: URL,
    headers: Mapping[str, str],
    through: str | None,
    *,
    use: ConnectionUse,
    unpack: bool,
    limit: int | None,
) -> UpstreamAnswer:
    async with session.request(
        hop.method,
        url,
        headers=headers,
        data=hop.body or None,
        proxy=through,
        allow_redirects=False,
        trace_request_ctx=use,
    ) as response:
        return await _answer(response, unpack, limit)


def _judging(url: URL, proxy: Proxy, guard: Guard | None) -> Guard | None:
    """Return the guard when the connected address has yet to be judged, None when it is trusted.

    A proxy resolves names itself and is itself the connected peer: of the target only a literal address is judged, and
    the proxy when it came with the request.
    """
    if guard is None:
        return None
    trusted = guard.trusts(*(place_of(url) or ("", 0)))
    if proxy.scheme:
        trusted = not proxy.supplied or guard.trusts(proxy.host, proxy.port)
    return None if trusted else guard


async def _answer(response: aiohttp.ClientResponse, unpack: bool, limit: int | None) -> UpstreamAnswer:
    gzipped = unpack and response.headers.get("Content-Encoding", "").lower() == "gzip"
    try:
        body, truncated = await read_body(response.content.iter_any(), gzipped=gzipped, limit=limit)
    except BodyRefused as refused:
        raise OutboundFailed(FailureKind.UNKNOWN, str(refused), reading=True) from None
    except zlib.error:
        raise OutboundFailed(FailureKind.UNKNOWN, "the compressed body is damaged", reading=True) from None
    except CLIENT_ERRORS as error:
        raise explain(error, reading=True) from None
    if truncated:
        response.close()
    header = multimap(response.headers.items(), without=_REMOVED_BY_DECODING if gzipped else ())
    return UpstreamAnswer(response.status, header, body, truncated)


def _with_user_as_header(hop: Hop) -> Hop:
    """Move a user and password from the address to ``Authorization``, which redirects treat as a credential."""
    if "@" not in hop.url:
        return hop
    split = urlsplit(hop.url)
    user, at, place = split.netloc.rpartition("@")
    if not at:
        return hop
    name, _, password = user.partition(":")
    credentials = b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()
    header = {"Authorization": f"Basic {credentials}", **hop.header}
    return Hop(hop.method, split._replace(netloc=place).geturl(), header, hop.body, hop.secret_names)
