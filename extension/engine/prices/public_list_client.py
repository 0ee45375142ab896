"""Client for public price lists: fixed addresses, limits of size and time, and the gateway's own proxy."""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final, NoReturn, Protocol
from urllib.parse import urlsplit

import aiohttp

from adapter.port import GatewayError
from adapter.port.errors import Unsupported
from adapter.privacy.secret import Secret
from extension.engine.prices.errors import ListUnavailable
from extension.prices.lists.public_list import ListInvalid, PublicList, Reading, read_litellm, read_models_dev
from extension.prices.price import PriceSource
from extension.reasons.codes import ReasonCode

LARGEST: Final = 16_000_000
"""Most bytes of a list, decompressed."""
_SECONDS: Final = 30.0
_DIRECT: Final = frozenset({"", "direct", "none"})
_CHUNK: Final = 65_536
_CONNECTION_PROBLEMS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (aiohttp.ClientProxyConnectionError, "proxy_unreachable"),
    (aiohttp.ClientHttpProxyError, "proxy_refused"),
    (aiohttp.ClientConnectorDNSError, "dns"),
    (aiohttp.ClientConnectorCertificateError, "certificate"),
    (aiohttp.ClientSSLError, "tls"),
    (aiohttp.ClientConnectorError, "connect"),
)
"""Token of a problem for each kind of error; `TERMS` has their words."""

ADDRESSES: Final[Mapping[PriceSource, str]] = MappingProxyType(
    {
        PriceSource.LITELLM: (
            "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json"
        ),
        PriceSource.MODELS_DEV: "https://models.dev/api.json",
    }
)
"""Address of each public list; nothing else is ever fetched."""

READINGS: Final[Mapping[PriceSource, Reading]] = MappingProxyType(
    {PriceSource.LITELLM: read_litellm, PriceSource.MODELS_DEV: read_models_dev}
)


class ProxySource(Protocol):
    """The part of the gateway's port that names its outbound proxy."""

    async def proxy_url(self) -> Secret | None:
        """Return the proxy, None when unset."""


@dataclass(frozen=True, slots=True)
class FetchedList:
    """A validated list; `revision` identifies its content, `fetched_at` is milliseconds UTC."""

    prices: PublicList
    revision: str
    etag: str
    fetched_at: int


class PublicListClient:
    """Fetches lists from fixed addresses and keeps the last of each, so that an unchanged one is not sent again.

    A redirect is never followed: it could lead to any address, one inside the network included.
    """

    def __init__(self, gateway: ProxySource, addresses: Mapping[PriceSource, str] = ADDRESSES) -> None:
        self._gateway = gateway
        self._addresses = addresses
        self._last: dict[PriceSource, FetchedList] = {}

    async def fetch(self, source: PriceSource, now: int) -> FetchedList:
        """Fetch and validate a list. Raises `ListUnavailable`."""
        last = self._last.get(source)
        try:
            async with asyncio.timeout(_SECONDS):
                answer = await self._answer(source, last.etag if last else "")
        except TimeoutError:
            raise ListUnavailable(source, ReasonCode.LIST_TOO_SLOW, seconds=round(_SECONDS)) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            # The text of these errors may hold the proxy's address with its password.
            raise _not_fetched(source, _connection_problem(error)) from None
        if answer is None and last is not None:
            return last
        content, etag = answer or (b"", "")
        prices = await asyncio.to_thread(_read, source, content)
        fetched = FetchedList(prices, hashlib.sha256(content).hexdigest()[:32], etag, now)
        self._last[source] = fetched
        return fetched

    async def _answer(self, source: PriceSource, etag: str) -> tuple[bytes, str] | None:
        """Return content and ETag, or None where the list has not changed."""
        headers = {"Accept": "application/json", "User-Agent": "poolkeeper"}
        if etag:
            headers["If-None-Match"] = etag
        proxy = await self._proxy(source)
        connector, plain = _connector(proxy)
        async with (
            aiohttp.ClientSession(connector=connector, trust_env=False, cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.get(self._addresses[source], headers=headers, allow_redirects=False, proxy=plain) as answer,
        ):
            if etag and answer.status == HTTPStatus.NOT_MODIFIED:
                return None
            if answer.status != HTTPStatus.OK:
                raise ListUnavailable(source, ReasonCode.LIST_STATUS, status=answer.status)
            content = bytearray()
            async for chunk in answer.content.iter_chunked(_CHUNK):
                content += chunk
                if len(content) > LARGEST:
                    raise ListUnavailable(source, ReasonCode.LIST_TOO_LARGE, bytes=f"{LARGEST:,}")
            return bytes(content), answer.headers.get("ETag", "")

    async def _proxy(self, source: PriceSource) -> str:
        try:
            address = await self._gateway.proxy_url()
        except Unsupported:
            return ""
        except GatewayError as error:
            # Without an answer it is not known whether a direct connection is allowed.
            raise _not_fetched(source, "proxy_unknown") from error
        return "" if address is None or address.reveal().strip() in _DIRECT else address.reveal().strip()


def _connector(proxy: str) -> tuple[aiohttp.BaseConnector | None, str | None]:
    """Return the connector for a SOCKS proxy, or the address of an HTTP proxy."""
    if urlsplit(proxy).scheme.startswith("socks"):
        from aiohttp_socks import ProxyConnector

        return ProxyConnector.from_url(proxy.replace("socks5h://", "socks5://", 1), rdns=True), None
    return None, proxy or None


def _read(source: PriceSource, content: bytes) -> PublicList:
    try:
        document: Any = json.loads(content, parse_float=Decimal, parse_constant=_no_number)
        return READINGS[source](document)
    except ListInvalid as error:
        if error.priced is None:
            raise _not_fetched(source, "no_object") from None
        raise ListUnavailable(source, ReasonCode.LIST_WITHOUT_PRICES, count=error.priced) from None
    except (ValueError, RecursionError, ArithmeticError):
        raise _not_fetched(source, "no_json") from None


def _not_fetched(source: PriceSource, problem: str) -> ListUnavailable:
    return ListUnavailable(source, ReasonCode.LIST_NOT_FETCHED, list_problem=problem)


def _connection_problem(error: Exception) -> str:
    """Return the token of the reason why there is no connection."""
    return next((token for kind, token in _CONNECTION_PROBLEMS if isinstance(error, kind)), "broken")


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number.")
