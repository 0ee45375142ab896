"""Failures of calls, translated from the errors of all libraries."""

import errno
import os
import socket
from enum import StrEnum

import aiohttp
import aiohttp_socks

CLIENT_ERRORS: tuple[type[Exception], ...] = (
    aiohttp.ClientError,
    aiohttp_socks.ProxyConnectionError,
    aiohttp_socks.ProxyError,
    aiohttp_socks.ProxyTimeoutError,
    OSError,
    ValueError,
)
"""Errors of the client libraries for calls that cannot be made."""

_CLOSED = "the connection was closed before the answer was complete"
_STALE = "the upstream closed a kept connection before it answered; the request was not sent again"
_OWN = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})
_BROKEN = frozenset({errno.ECONNRESET, errno.EPIPE, errno.ECONNABORTED})


class FailureKind(StrEnum):
    """Kind of a failure."""

    TIMEOUT = "timeout"
    CONNECT = "connect"
    DNS = "dns"
    TLS = "tls"
    PROXY = "proxy"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


class AddressBlocked(Exception):  # noqa: N818 - it names what happened
    """The guard refuses the address; ``str()`` has the host and the way to allow it."""

    def __init__(self, host: str) -> None:
        super().__init__(f"{host} is not a public address; a base-url or api-call-allow can name it")


class OutboundFailed(Exception):  # noqa: N818 - it names what happened
    """The upstream gave no answer.

    Attributes:
        kind: Kind of the failure.
        detail: A short description without addresses, header values or anything else that could hold a secret.
        reading: True when the answer had begun and its body broke off.
        stale: True when a kept connection was closed under the request: the upstream may not have seen it. It is not
            repeated here; its caller can decide that.
    """

    def __init__(self, kind: FailureKind, detail: str, *, reading: bool = False, stale: bool = False) -> None:
        self.kind = kind
        self.detail = detail
        self.reading = reading
        self.stale = stale
        super().__init__(f"{kind}: {detail}")


def explain(error: Exception, *, reading: bool = False, reused: bool = False) -> OutboundFailed:
    """Translate an error of the client libraries, without its text, which may hold addresses.

    ``reading`` means that the answer had begun, ``reused`` that the request went over a kept connection.
    """
    if reused and not reading and isinstance(error, aiohttp.ServerDisconnectedError | ConnectionResetError):
        return OutboundFailed(FailureKind.CONNECT, _STALE, stale=True)
    if _number(error) in _OWN:
        return OutboundFailed(
            FailureKind.UNKNOWN, f"the gateway itself lacks resources: {_system_phrase(error)}", reading=reading
        )
    for types, kind, phrase in _TABLE:
        if isinstance(error, types):
            return OutboundFailed(kind, phrase or _system_phrase(error), reading=reading)
    return OutboundFailed(FailureKind.UNKNOWN, f"the request could not be made ({type(error).__name__})")


def _number(error: Exception) -> object:
    return getattr(getattr(error, "os_error", error), "errno", None)


def _system_phrase(error: Exception) -> str:
    """Return the operating system's description of an error number, e.g. ``connection refused``."""
    number = _number(error)
    if number in _BROKEN:
        return _CLOSED
    if isinstance(number, int) and number in errno.errorcode:
        return os.strerror(number).lower()
    return "the connection could not be made"


_TABLE: tuple[tuple[tuple[type[Exception], ...], FailureKind, str], ...] = (
    ((AddressBlocked,), FailureKind.BLOCKED, "the address is not public and not allowed"),
    ((TimeoutError, aiohttp_socks.ProxyTimeoutError), FailureKind.TIMEOUT, "no answer in time"),
    (
        (
            aiohttp.ClientProxyConnectionError,
            aiohttp.ClientHttpProxyError,
            aiohttp_socks.ProxyConnectionError,
            aiohttp_socks.ProxyError,
        ),
        FailureKind.PROXY,
        "the proxy could not be used",
    ),
    ((aiohttp.ClientConnectorDNSError, socket.gaierror), FailureKind.DNS, "the host name could not be resolved"),
    ((aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError), FailureKind.TLS, "the TLS handshake failed"),
    ((aiohttp.ServerDisconnectedError, aiohttp.ClientPayloadError), FailureKind.CONNECT, _CLOSED),
    ((aiohttp.ClientOSError, OSError), FailureKind.CONNECT, ""),
    ((aiohttp.ClientResponseError,), FailureKind.UNKNOWN, "the answer is not HTTP"),
)
