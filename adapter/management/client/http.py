"""The HTTP transport: kept connections, no redirects, no repeats, no environment proxies."""

import asyncio
import os
import ssl
from types import SimpleNamespace
from urllib.parse import urlsplit

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from adapter.management.client.transport import UNTRUSTED, Reply, Request, TransportFailure
from adapter.port.permission import require_permission
from adapter.privacy.management_key import sendable
from adapter.privacy.secret import Secret

_CONNECT_SECONDS = 10.0
CONNECTIONS = 100
"""Most connections to a gateway."""
_KEPT_SECONDS = 30.0


class AddressInvalid(ValueError):  # noqa: N818 - the name says what is wrong
    """The address is not that of a gateway; the text says why."""


def gateway_address(text: str) -> str:
    """The address of a gateway as it is used: http or https, host, port, perhaps a path; no slash at its end.

    Raises:
        AddressInvalid: it is no such address, or holds user information, a query or a fragment.
    """
    try:
        parts = urlsplit(text.strip())
        named = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        named = False
    if not named:
        raise AddressInvalid("This is no address of a gateway: --gateway takes one like http://127.0.0.1:8317.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise AddressInvalid("The address of a gateway holds no user, password, query or fragment: leave them out.")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


class HttpTransport:
    """Sends requests to one gateway, each exactly once; connections open in the loop that sends a request."""

    def __init__(self, address: str, key: Secret, connections: int = CONNECTIONS, *, ca: str = "") -> None:
        """`ca` holds the certificates (PEM) that alone are trusted; those of the machine without it.

        Raises:
            ValueError: the address is no gateway's, the key cannot be sent, or `ca` holds no certificates.
        """
        self._trust = _trust(ca)
        self.address = gateway_address(address)
        self.connections = connections
        self.authorization = f"Bearer {sendable(key)}"
        self._session: aiohttp.ClientSession | None = None

    def session(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            connector = aiohttp.TCPConnector(
                limit=self.connections, keepalive_timeout=_KEPT_SECONDS, ssl=self._trust or True
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                trust_env=False,
                trace_configs=[_once()],
            )
        return self._session

    async def send(self, request: Request) -> Reply:
        attempt = Attempts()
        header = CIMultiDict({"Authorization": self.authorization, "Accept-Encoding": "identity"})
        if request.body is not None:
            header["Content-Type"] = request.content_type
        url = URL(f"{self.address}{request.path}", encoded=True).with_query(dict(request.query) or None)
        try:
            async with self.session().request(
                request.method,
                url,
                data=request.body,
                headers=header,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=request.seconds, sock_connect=_CONNECT_SECONDS),
                trace_request_ctx=attempt,
            ) as answer:
                body, cut = await _read(answer.content, request.limit)
                headers = {name.lower(): value for name, value in answer.headers.items()}
                return Reply(answer.status, headers, body, cut)
        except TimeoutError:
            raise TransportFailure("it took too long", sent=attempt.sent, late=True) from None
        except SentBefore:
            raise TransportFailure("the connection was closed", sent=True) from None
        except (aiohttp.ClientError, OSError) as error:
            raise TransportFailure(reason_of(error), sent=attempt.sent) from None

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            await asyncio.sleep(0)
            self._session = None


def _trust(ca: str) -> ssl.SSLContext | None:
    if not ca:
        return None
    try:
        return ssl.create_default_context(cadata=ca)
    except (ssl.SSLError, ValueError):
        raise ValueError("The authority of the gateway is no certificate in PEM form.") from None


def reason_of(error: BaseException) -> str:
    """Return a failure in a few words, without addresses or text of a server."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return UNTRUSTED
    if isinstance(error, aiohttp.ClientConnectorSSLError):
        return "TLS could not be agreed on; perhaps it speaks http and not https"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its name cannot be resolved"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    if isinstance(error, aiohttp.ServerDisconnectedError | aiohttp.ClientPayloadError):
        return "the connection was closed"
    return "it did not speak HTTP" if isinstance(error, aiohttp.ClientResponseError) else "the connection failed"


class SentBefore(Exception):  # noqa: N818 - it says what happened
    """The library was about to send a request a second time."""


class Attempts:
    """State of one request: its connections so far, and whether it was sent."""

    def __init__(self) -> None:
        self.count = 0
        self.sent = False


def _once() -> aiohttp.TraceConfig:
    """Trace requests so that none is sent twice: aiohttp repeats idempotent ones on a broken connection."""
    config = aiohttp.TraceConfig()
    config.on_connection_create_end.append(_connected)
    config.on_connection_reuseconn.append(_connected)
    config.on_request_headers_sent.append(_sent)
    config.on_request_chunk_sent.append(_about_to_send)
    return config


async def _connected(_session: aiohttp.ClientSession, context: SimpleNamespace, _params: object) -> None:
    attempt: Attempts = context.trace_request_ctx
    attempt.count += 1
    await _about_to_send()
    if attempt.count > 1 and attempt.sent:
        raise SentBefore


async def _about_to_send(*_: object) -> None:
    """Ask for permission once more before the first byte: the library sends a body from a task of its own."""
    require_permission()


async def _sent(_session: aiohttp.ClientSession, context: SimpleNamespace, _params: object) -> None:
    attempt: Attempts = context.trace_request_ctx
    attempt.sent = True


async def _read(content: aiohttp.StreamReader, limit: int) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    size = 0
    async for part in content.iter_any():
        parts.append(part)
        size += len(part)
        if size > limit:
            return b"".join(parts)[:limit], True
    return b"".join(parts), False
