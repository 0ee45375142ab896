"""Authentication by a session of ours or by the gateway's management key.

The key is judged by the gateway alone, against its own check and its own ban table on the TCP peer. A session is
good for the paths of this service; the gateway's paths never look at it. It is bound to the rule the key obeys: where
`allow-remote` keeps other machines out, a session of this machine is of no use there.
"""

from dataclasses import dataclass, field
from typing import Annotated, Protocol

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.port import AdmissionAttempt, Admitted, Denied, Gateway
from adapter.port.errors import Unauthorised
from adapter.privacy.management_key import presented
from adapter.privacy.secret import Secret
from extension.api.auth.key_fingerprint import NO_KEY, REFUSED_KEY, KeyFingerprint
from extension.api.auth.operator_access import OperatorAccess
from extension.api.auth.refusals import (
    CSRF_HEADER,
    csrf_missing,
    key_changed,
    no_management,
    no_session,
    no_session_beside_key,
    refusal,
    remote_refused,
)
from extension.api.auth.sessions import Sessions, SignIn, same_csrf
from extension.api.paths import TERMINAL_AGENT
from extension.api.problems import Problem, problem_of

COOKIE = "poolkeeper_session"
"""Name of the session cookie."""
ADMITTED_BY_HOST = "poolkeeper.admitted"
"""Extension in the ASGI scope of a request whose management key a host of plugins has judged; no server sets it."""

PAGE_ACTOR = "page"
"""Name of the console as a caller."""

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST_COOKIES = 10


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated caller; `actor` is the name recorded with their actions.

    `peer`, `key_fingerprint` and `token` (of a session, else empty) say what the authentication rests on.
    """

    actor: str
    peer: str = ""
    key_fingerprint: str = ""
    token: str = field(default="", repr=False)
    operator_access: OperatorAccess | None = None
    """Access of an operator of a fleet; none with one gateway."""


def presented_key(connection: HTTPConnection) -> Secret | None:
    """Read the management key a request shows; None when it shows none."""
    return presented(connection.headers.get("Authorization", ""), connection.headers.get("X-Management-Key", ""))


def session_tokens(connection: HTTPConnection) -> tuple[str, ...]:
    """Return the session tokens of a request.

    Any web service of the same host can set a cookie of our name: none of them hides the others.
    """
    pairs = (pair.partition("=") for line in connection.headers.getlist("Cookie") for pair in line.split(";"))
    return tuple(value.strip() for name, _, value in pairs if name.strip() == COOKIE)[:_MOST_COOKIES]


def peer_of(connection: HTTPConnection) -> str:
    """Return the address of a connection; empty where it has none."""
    return connection.client.host if connection.client else ""


async def admit(gateway: Gateway, key: Secret, connection: HTTPConnection) -> None:
    """Have the gateway judge a key.

    Raises:
        Problem: the gateway denies it; its status, text and waiting time are passed on.
    """
    site = connection.headers.get("Sec-Fetch-Site", "")
    admission = await gateway.admit(AdmissionAttempt(key, peer_of(connection), site, _forwarded(connection)))
    match admission:
        case Admitted():
            return
        case Denied():
            raise refusal(admission)


class Access(Protocol):
    """Judge of requests in a fleet, in place of the gateway: no management key of a gateway counts there."""

    async def identify(self, connection: HTTPConnection, method: str) -> Principal:
        """Identify an operator who may send a request, or raise `Problem`."""

    async def session(self, connection: HTTPConnection, *, unsafe: bool) -> SignIn:
        """Find the session of a request, or raise `Problem`."""

    async def mark_of(self, token: Secret, connection: HTTPConnection) -> str:
        """Judge a token and return the mark of sessions that are opened with it, or raise `Problem`."""

    async def loss(self, principal: Principal) -> Problem | None:
        """Return why a request may not go on; None while it may."""

    async def serve(self, inside: ASGIApp, scope: Scope, receive: Receive, send: Send, principal: Principal) -> None:
        """Serve a request (ASGI); a change is recorded before it begins, and with its outcome."""


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Authenticate requests, given the gateway, the fingerprint of its management key, and the open sessions.

    With `access` it is a fleet, and the operators take the place of the gateway and its key.
    """

    gateway: Gateway
    key_fingerprint: KeyFingerprint
    sessions: Sessions
    access: Access | None = None

    async def identify(self, connection: HTTPConnection, method: str) -> Principal:
        """Identify the caller of an own path.

        Raises:
            Problem: neither key nor session is accepted, or it is a session without its CSRF token on an unsafe method.
        """
        if self.access is not None:
            return await self.access.identify(connection, method)
        if ADMITTED_BY_HOST in connection.scope.get("extensions", {}):
            actor = PAGE_ACTOR if "Sec-Fetch-Site" in connection.headers else _actor_of(connection)
            return Principal(actor, peer_of(connection), await self.key_fingerprint.now())
        key = presented_key(connection)
        if key is not None:
            await admit(self.gateway, key, connection)
            return Principal(_actor_of(connection), await self._client(connection), await self.key_fingerprint.now())
        session = await self.session(connection, unsafe=method not in _SAFE_METHODS)
        client = await self._client(connection)
        return Principal(PAGE_ACTOR, client, await self.key_fingerprint.now(), session.token)

    async def session(self, connection: HTTPConnection, *, unsafe: bool) -> SignIn:
        """Find the session a request belongs to.

        Raises:
            Problem: there is none, no management interface either, or an unsafe request lacks the session's CSRF token.
        """
        if self.access is not None:
            return await self.access.session(connection, unsafe=unsafe)
        if ADMITTED_BY_HOST in connection.scope.get("extensions", {}):
            raise no_session_beside_key("The gateway has checked the management key of this request.")
        key_fingerprint = await self.key_fingerprint.now()
        if key_fingerprint == NO_KEY:
            raise no_management()
        tokens = session_tokens(connection)
        sessions = (self.sessions.find(token, key_fingerprint) for token in tokens)
        login = next((session for session in sessions if session is not None), None)
        if login is None and presented_key(connection) is not None:
            raise no_session_beside_key("This request has the management key.")
        if login is None:
            raise no_session(had_cookie=bool(tokens))
        if not await self.key_fingerprint.admits(await self._client(connection)):
            raise remote_refused()
        if unsafe and not same_csrf(login, connection.headers.get(CSRF_HEADER, "")):
            raise csrf_missing()
        return login

    async def mark_of(self, key: Secret, connection: HTTPConnection) -> str:
        """Judge a key that signs in, and return the mark of its sessions, or raise `Problem`."""
        if self.access is not None:
            return await self.access.mark_of(key, connection)
        await admit(self.gateway, key, connection)
        return await self.key_fingerprint.now()

    def loss(self, principal: Principal, key_fingerprint: str, *, admitted: bool) -> Problem | None:
        """Return why a principal is authenticated no more; None while it is.

        `key_fingerprint` is that of now, and `admitted` says whether the gateway takes requests from its address.
        The key is not judged again: a refusal would count toward a ban.
        """
        if not admitted:
            return remote_refused()
        same = key_fingerprint == principal.key_fingerprint
        if same and (not principal.token or self.sessions.find(principal.token, key_fingerprint) is not None):
            return None
        if key_fingerprint == NO_KEY:
            return no_management()
        if principal.token:
            return no_session(had_cookie=True)
        if key_fingerprint == REFUSED_KEY:
            return problem_of(Unauthorised("The gateway refuses the management key of this service."))
        return key_changed()

    async def _client(self, connection: HTTPConnection) -> str:
        return await self.gateway.client_address(peer_of(connection), _forwarded(connection))


def _forwarded(connection: HTTPConnection) -> str:
    """Return `X-Forwarded-For`; several lines of it are one list, as the gateway reads them."""
    return ",".join(connection.headers.getlist("X-Forwarded-For"))


def _actor_of(connection: HTTPConnection) -> str:
    agent = connection.headers.get("User-Agent", "")
    return "terminal" if agent.startswith(TERMINAL_AGENT) else "interface"


async def _principal_of(connection: HTTPConnection) -> Principal:  # a plain function would be called in a thread
    principal: Principal = connection.state.principal
    return principal


Asking = Annotated[Principal, Depends(_principal_of)]
"""Parameter type of a resource that records the caller; the middleware has identified it before."""
