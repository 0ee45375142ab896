"""The one HTTP client of the gateway: sends a call, follows its redirects, and bounds what comes back."""

import zlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

import aiohttp
from yarl import URL

from gateway import __version__
from gateway.internal.outbound.body import BodyRefused, read_body
from gateway.internal.outbound.connections import Connections
from gateway.internal.outbound.failure import CLIENT_ERRORS, AddressBlocked, FailureKind, OutboundFailed, explain
from gateway.internal.outbound.guard import Guard, Ruling
from gateway.internal.outbound.headers import multimap
from gateway.internal.outbound.proxy import DIRECT, Proxy
from gateway.internal.outbound.redirects import MOST_REQUESTS, Hop, next_hop
from gateway.internal.outbound.repeating import Road
from gateway.internal.outbound.streaming import Stream, open_stream
from gateway.internal.outbound.target import place_of, sent_url

_USER_AGENT = f"gateway/{__version__}"
_REMOVED_BY_DECODING = ("content-encoding", "content-length")


@dataclass(frozen=True, slots=True)
class UpstreamAnswer:
    """What an upstream answered, whatever its status.

    Attributes:
        header: Canonical names, sorted; each with its values in order.
        truncated: True when the body was longer than the limit; the rest was not read.
    """

    status: int
    header: Mapping[str, tuple[str, ...]] = field(repr=False)
    body: bytes = field(repr=False)
    truncated: bool


class Outbound:
    """Sends calls over pooled connections. Environment variables never choose a proxy. One for each event loop."""

    def __init__(self) -> None:
        self._connections = Connections()

    async def send(
        self, hop: Hop, *, proxy: Proxy = DIRECT, guard: Guard | None = None, limit: int | None = None
    ) -> UpstreamAnswer:
        """Send a request and follow redirects as Go does, at most nine of them. Cancelling closes the connection.

        Args:
            hop: The request; its header names are canonical.
            proxy: What to go through.
            guard: Which addresses may be called; None means every one.
            limit: Most bytes of the body, after decompression; None means all of it, up to 64 MiB.

        Raises:
            OutboundFailed: There was no answer, or its body broke off.
        """
        hop = _with_user_as_header(hop)
        for _ in range(MOST_REQUESTS):
            road = Road()
            try:
                answer = await self._one(hop, proxy, guard, limit, road)
            except AddressBlocked as blocked:
                raise OutboundFailed(FailureKind.BLOCKED, str(blocked)) from None
            except CLIENT_ERRORS as error:
                raise explain(error, kept=road.kept) from None
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
        """Close every connection."""
        await self._connections.close()

    async def _one(self, hop: Hop, proxy: Proxy, guard: Guard | None, limit: int | None, road: Road) -> UpstreamAnswer:
        headers = {"User-Agent": _USER_AGENT, **hop.header}
        unpack = "Accept-Encoding" not in headers and "Range" not in headers and hop.method != "HEAD"
        if unpack:
            headers["Accept-Encoding"] = "gzip"
        url = sent_url(hop.url)
        judged = _judging(url, proxy, guard)
        if not proxy.socks:
            session = self._connections.guarded(judged) if judged else self._connections.trusted()
            return await _exchange(session, hop, url, headers, proxy.url or None, road=road, unpack=unpack, limit=limit)
        address = await self._connections.resolve(judged, proxy) if judged else proxy.host
        async with self._connections.through_socks(proxy, address) as session:
            return await _exchange(session, hop, url, headers, None, road=road, unpack=unpack, limit=limit)


async def _exchange(
    session: aiohttp.ClientSession,
    hop: Hop,
    url: URL,
    headers: Mapping[str, str],
    through: str | None,
    *,
    road: Road,
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
        trace_request_ctx=road,
    ) as response:
        return await _answer(response, unpack, limit)


def _judging(url: URL, proxy: Proxy, guard: Guard | None) -> Guard | None:
    """Return the guard when the address connected to has yet to be judged, None when it is trusted.

    Behind a proxy it is the proxy that resolves the name and that is connected to: of the target only a literal
    address is judged, and the proxy itself when it came with the request.
    """
    if guard is None:
        return None
    ruling = guard.rule(*(place_of(url) or ("", 0)))
    if proxy.scheme:
        ruling = guard.rule(proxy.host, proxy.port) if proxy.supplied else Ruling.TRUSTED
    return guard if ruling is Ruling.ADDRESS_DECIDES else None


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
    """Move a user and password from the address into ``Authorization``, where redirects treat it as a credential."""
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
