"""Why an upstream gave no answer: every library's errors, told apart once."""

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
"""Everything the client libraries raise when a call cannot be made."""

_CLOSED = "the connection was closed before the answer was complete"
_STALE = "the upstream closed a kept connection before it answered; the request was not sent again"
_OWN = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})
_BROKEN = frozenset({errno.ECONNRESET, errno.EPIPE, errno.ECONNABORTED})


class FailureKind(StrEnum):
    """What stood in the way."""

    TIMEOUT = "timeout"
    CONNECT = "connect"
    DNS = "dns"
    TLS = "tls"
    PROXY = "proxy"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


class AddressBlocked(Exception):  # noqa: N818 - it names what happened
    """The guard refuses the address; ``str()`` says which host and how to allow it."""

    def __init__(self, host: str) -> None:
        super().__init__(f"{host} is not a public address; a base-url or api-call-allow can name it")


class OutboundFailed(Exception):  # noqa: N818 - it names what happened
    """The upstream gave no answer.

    Attributes:
        kind: What stood in the way.
        detail: One phrase without addresses, header values or anything else that could hold a secret.
        reading: True when the answer had begun and its body broke off.
        kept: True when a kept connection was closed under the request: the upstream may not have seen it. It is never
            sent again from here; whoever asked for it can decide that.
    """

    def __init__(self, kind: FailureKind, detail: str, *, reading: bool = False, kept: bool = False) -> None:
        self.kind = kind
        self.detail = detail
        self.reading = reading
        self.kept = kept
        super().__init__(f"{kind}: {detail}")


def explain(error: Exception, *, reading: bool = False, kept: bool = False) -> OutboundFailed:
    """Translate an error of the client libraries; the original's text is not repeated, it may hold addresses.

    Args:
        error: What was raised.
        reading: The answer had begun.
        kept: The request went over a kept connection.
    """
    if kept and not reading and isinstance(error, aiohttp.ServerDisconnectedError | ConnectionResetError):
        return OutboundFailed(FailureKind.CONNECT, _STALE, kept=True)
    if _number(error) in _OWN:
        return OutboundFailed(
            FailureKind.UNKNOWN, f"the gateway itself lacks resources: {_system_phrase(error)}", reading=reading
        )
    for types, kind, phrase in _TABLE:
        if isinstance(error, types):
            return OutboundFailed(kind, phrase or _system_phrase(error), reading=reading)
    return OutboundFailed(FailureKind.UNKNOWN, f"the request could not be made ({type(error).__name__})")


def _number(error: Exception) -> object:
    """The operating system's error number, if there is one."""
    return getattr(getattr(error, "os_error", error), "errno", None)


def _system_phrase(error: Exception) -> str:
    """The operating system's words for an error number, e.g. ``connection refused``."""
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
    (
        (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError),
        FailureKind.TLS,
        "the TLS handshake failed",
    ),
    ((aiohttp.ServerDisconnectedError, aiohttp.ClientPayloadError), FailureKind.CONNECT, _CLOSED),
    ((aiohttp.ClientOSError, OSError), FailureKind.CONNECT, ""),
    ((aiohttp.ClientResponseError,), FailureKind.UNKNOWN, "the answer is not HTTP"),
)
