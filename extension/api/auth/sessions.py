"""Sessions of the page: random tokens in cookies, of which only hashes are kept.

Only the SHA-256 of a token is stored, so that neither the memory of this process nor its data folder can be replayed.
The CSRF token is an HMAC of the session token under a secret of its own: a reader of the cookie cannot compute it.
Sessions survive a restart. They end at their expiry, at sign-out, or when the management key they were opened with is
not the gateway's any more. They are good for the service's own paths only.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self, TypeAlias

from starlette.requests import HTTPConnection

from adapter.clock import Clock
from extension.store.session_file import SessionFile, StoredSession, StoredSessions

_TOKEN_BYTES = 32
_MOST_SESSIONS = 1000
_THIS_MACHINE = ("127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class SignIn:
    """A session: `token` goes into the cookie, `csrf` into the page, `expires_at` is milliseconds UTC."""

    token: str
    csrf: str
    expires_at: int

    def __repr__(self) -> str:
        return f"SignIn(expires_at={self.expires_at})"


class Sessions:
    """The sessions that are open. `lifetime_ms` counts from the sign-in; using a session does not extend it."""

    def __init__(self, clock: Clock, lifetime_ms: int, store: SessionFile | None = None) -> None:
        self._clock = clock
        self._lifetime_ms = lifetime_ms
        self._store = store
        stored = store.read() if store else StoredSessions(secrets.token_bytes(_TOKEN_BYTES))
        self._csrf_secret = stored.csrf_secret
        self._open = dict(stored.sessions)
        self._storing = asyncio.Lock()

    def open(self, key_fingerprint: str) -> SignIn:
        """Open a session under the management key that counts now; the oldest gives way when there are a thousand."""
        self._forget_expired()
        while len(self._open) >= _MOST_SESSIONS:
            del self._open[next(iter(self._open))]
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        expires_at = self._clock.now_ms() + self._lifetime_ms
        self._open[_hashed(token)] = StoredSession(expires_at, key_fingerprint)
        return SignIn(token, self._csrf_of(token), expires_at)

    def find(self, token: str, key_fingerprint: str) -> SignIn | None:
        """Return the open session of a cookie's token, or None when there is none (any more)."""
        session = self._open.get(_hashed(token))
        if session is None or session.expires_at <= self._clock.now_ms() or session.key_fingerprint != key_fingerprint:
            return None
        return SignIn(token, self._csrf_of(token), session.expires_at)

    def bound_to(self, token: str) -> str | None:
        """Return the mark that an open session was opened under; None without one."""
        session = self._open.get(_hashed(token))
        return None if session is None else session.key_fingerprint

    def without_cookie(self, user: str) -> SignIn:
        """Return what stands for a session of a user whom a proxy names with each request: it has a CSRF token."""
        return SignIn("", self._csrf_of(f"user {user}"), self._clock.now_ms() + self._lifetime_ms)

    def close(self, token: str) -> None:
        """End a session; ending one that is not open changes nothing."""
        self._open.pop(_hashed(token), None)

    async def store(self) -> None:
        """Store the open sessions as they are now, so that they survive a restart."""
        if self._store is not None:
            async with self._storing:
                await asyncio.to_thread(self._store.write, StoredSessions(self._csrf_secret, dict(self._open)))

    def _csrf_of(self, token: str) -> str:
        return hmac.new(self._csrf_secret, token.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def _forget_expired(self) -> None:
        now = self._clock.now_ms()
        self._open = {token: session for token, session in self._open.items() if session.expires_at > now}


def same_csrf(session: SignIn, header: str) -> bool:
    """Compare a CSRF header with the session's token in constant time."""
    return hmac.compare_digest(session.csrf.encode(), header.encode("utf-8", "surrogatepass"))


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class SecureCookies:
    """Secure `always`, or where the connection is https, or a trusted proxy says that the client's is."""

    always: bool = False
    proxies: tuple[Network, ...] = ()

    @classmethod
    def of(cls, *, always: bool, trusted_proxies: str) -> Self:
        """Make the decision from settings; `trusted_proxies` lists addresses and networks, beside this machine's.

        Raises:
            ValueError: one of them is neither.
        """
        return cls(
            always,
            networks_of((*_THIS_MACHINE, *listed(trusted_proxies))),
        )

    def apply_to(self, connection: HTTPConnection) -> bool:
        """Return whether the cookie of a request's answer is Secure."""
        if self.always or connection.url.scheme == "https":
            return True
        claimed = connection.headers.get("X-Forwarded-Proto", "").partition(",")[0].strip().lower()
        return claimed == "https" and within(connection.client.host if connection.client else "", self.proxies)


def networks_of(texts: Iterable[str]) -> tuple[Network, ...]:
    """Read addresses and networks; `ValueError` where one is neither."""
    return tuple(ipaddress.ip_network(text, strict=False) for text in texts)


def within(peer: str, networks: Iterable[Network]) -> bool:
    """Return whether an address is in one of the networks."""
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return False
    return any(address in network for network in networks)


def listed(text: str) -> tuple[str, ...]:
    """Split a list with commas; empty items are left out."""
    return tuple(item.strip() for item in text.split(",") if item.strip())
