"""Log-ins of the page: short-lived sessions in memory, of which only hashes are kept.

A session is a random token in a cookie. Here only its SHA-256 is stored, so that a dump of this process's memory or
a log cannot be replayed; the CSRF token is derived from the session token and is therefore nowhere stored at all.
Sessions end with the process, at their expiry, at log-out, or when the management key they were opened with is not
the gateway's any more. They are good for the service's own paths only.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from adapter.clock import Clock

_TOKEN_BYTES = 32
_MOST_SESSIONS = 1000


@dataclass(frozen=True, slots=True)
class SignIn:
    """A fresh session: `token` goes into the cookie, `csrf` into the page, `expires_at` is milliseconds UTC."""

    token: str
    csrf: str
    expires_at: int

    def __repr__(self) -> str:
        return f"Login(expires_at={self.expires_at})"


@dataclass(frozen=True, slots=True)
class _Session:
    expires_at: int
    key_fingerprint: str


class Sessions:
    """The sessions that are open. `lifetime_ms` counts from the sign-in; using a session does not extend it."""

    def __init__(self, clock: Clock, lifetime_ms: int) -> None:
        self._clock = clock
        self._lifetime_ms = lifetime_ms
        self._open: dict[str, _Session] = {}

    def open(self, key_fingerprint: str) -> SignIn:
        """Open a session under the management key that counts now; the oldest gives way when there are a thousand."""
        self._forget_expired()
        while len(self._open) >= _MOST_SESSIONS:
            del self._open[next(iter(self._open))]
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        expires_at = self._clock.now_ms() + self._lifetime_ms
        self._open[_hashed(token)] = _Session(expires_at, key_fingerprint)
        return SignIn(token, csrf_of(token), expires_at)

    def find(self, token: str, key_fingerprint: str) -> SignIn | None:
        """Answer the open session of a cookie's token, or None when there is none (any more)."""
        session = self._open.get(_hashed(token))
        if session is None or session.expires_at <= self._clock.now_ms() or session.key_fingerprint != key_fingerprint:
            return None
        return SignIn(token, csrf_of(token), session.expires_at)

    def close(self, token: str) -> None:
        """End a session; ending one that is not open changes nothing."""
        self._open.pop(_hashed(token), None)

    def _forget_expired(self) -> None:
        now = self._clock.now_ms()
        self._open = {token: session for token, session in self._open.items() if session.expires_at > now}


def csrf_of(token: str) -> str:
    """Derive the CSRF token of a session; only a reader of the cookie can compute it."""
    return hmac.new(token.encode(), b"poolkeeper csrf", hashlib.sha256).hexdigest()


def same_csrf(login: SignIn, given: str) -> bool:
    """Compare a CSRF header with the session's token in constant time."""
    return hmac.compare_digest(login.csrf.encode(), given.encode("utf-8", "surrogatepass"))


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
