"""Access tokens of service accounts: requested with a signed assertion (RFC 7523), and cached until they expire."""

import asyncio
import base64
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus

import structlog
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from gateway.internal.inference.refreshing import REFUSED_SECONDS, UNANSWERED_SECONDS, Refresher, ask_for_token, usable
from gateway.internal.outbound.proxy import first_usable
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
LASTS_SECONDS = 3600
_SPARE_SECONDS = 60.0
_LEAST_BITS = 1024
_log = structlog.get_logger("gateway")


class KeyUnreadable(Exception):  # noqa: N818 - it names what happened
    """The private key is not an unencrypted RSA key in PEM."""


def sign(pem: str, message: bytes) -> bytes:
    """Return the RSASSA-PKCS1-v1_5 signature (SHA-256, RFC 8017) of a message.

    The key is a PEM text in PKCS#8 or PKCS#1; its line breaks may be written as backslash and n.

    Raises:
        KeyUnreadable: The text holds none, or an inconsistent one.
    """
    try:
        key = load_pem_private_key(pem.replace("\\n", "\n").encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise KeyUnreadable("the private key is not an unencrypted RSA key in PEM") from None
    if not isinstance(key, RSAPrivateKey):
        raise KeyUnreadable("the private key is not an RSA key")
    if key.key_size < _LEAST_BITS:
        raise KeyUnreadable("the private key is too short")
    return key.sign(message, PKCS1v15(), SHA256())


def account_of(credential: Credential) -> Mapping[str, object] | None:
    """Return the service account in a credential file, or None."""
    account = credential.metadata.get("service_account")
    return account if credential.is_file and isinstance(account, dict) else None


def statement(account: Mapping[str, object], audience: str, now: datetime) -> str:
    """Return the signed assertion with which a service account requests a token.

    ``account`` has ``client_email``, ``private_key`` and ``private_key_id``; ``audience`` is the token endpoint.

    Raises:
        KeyUnreadable: The account has no key that can sign.
    """
    key, issued = str(account.get("private_key", "")), int(now.timestamp())
    header = {"alg": "RS256", "typ": "JWT", "kid": account.get("private_key_id", "")}
    claims = {
        "iss": account.get("client_email", ""),
        "scope": SCOPE,
        "aud": audience,
        "iat": issued,
        "exp": issued + LASTS_SECONDS,
    }
    signed = f"{_encoded(json.dumps(header).encode())}.{_encoded(json.dumps(claims).encode())}"
    return f"{signed}.{_encoded(sign(key, signed.encode()))}"


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class _Issued:
    """A token until a moment on the monotonic clock; empty while the endpoint is not asked again."""

    revision: str
    until: float
    token: str = field(default="", repr=False)


class ServiceAccounts:
    """Gets tokens for service accounts, each only once for all waiting requests."""

    def __init__(
        self,
        runtime: Runtime,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._runtime = runtime
        self._now = now
        self._monotonic = monotonic
        self._issued: dict[str, _Issued] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def usable(self, credential: Credential) -> Credential:
        """Return a credential with a token, or unchanged when there is none."""
        async with self._locks.setdefault(credential.id, asyncio.Lock()):
            issued = self._issued.get(credential.id)
            if issued is None or issued.revision != credential.revision or issued.until <= self._monotonic():
                issued = self._issued[credential.id] = await self._issue(credential)
        return _with(credential, issued.token)

    async def renewed(self, credential: Credential) -> Credential | None:
        """Return a credential with a new token after a refusal, or None."""
        issued = self._issued.get(credential.id)
        if issued is not None and issued.token and issued.token == credential.metadata.get("access_token"):
            del self._issued[credential.id]
        fresh = await self.usable(credential)
        return fresh if fresh is not credential else None

    async def _issue(self, credential: Credential) -> _Issued:
        account = account_of(credential) or {}
        endpoint = self._runtime.configuration.traffic.token_endpoints.get(credential.provider, {})
        url = endpoint.get("url") or str(account.get("token_uri", ""))
        status, answer = await self._ask(credential, account, url) if usable(url) else (HTTPStatus.BAD_REQUEST, {})
        token, lasts = answer.get("access_token"), answer.get("expires_in")
        if status == HTTPStatus.OK and isinstance(token, str) and token:
            seconds = float(lasts) if isinstance(lasts, int) and 0 < lasts <= LASTS_SECONDS else float(LASTS_SECONDS)
            return _Issued(credential.revision, self._monotonic() + max(seconds - _SPARE_SECONDS, 1.0), token)
        refused = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
        _log.warning("a service account got no token", credential=credential.id, status=int(status))
        wait = REFUSED_SECONDS if refused else UNANSWERED_SECONDS
        return _Issued(credential.revision, self._monotonic() + wait)

    async def _ask(
        self, credential: Credential, account: Mapping[str, object], url: str
    ) -> tuple[int, Mapping[str, object]]:
        try:
            form = {"grant_type": GRANT, "assertion": statement(account, url, self._now())}
        except KeyUnreadable as error:
            _log.warning("a service account cannot sign", credential=credential.id, problem=str(error))
            return HTTPStatus.BAD_REQUEST, {}
        proxy = first_usable((credential.proxy_url, self._runtime.configuration.proxy_url))
        return await ask_for_token(self._runtime.outbound, url, form, proxy)


def _with(credential: Credential, token: str) -> Credential:
    return replace(credential, metadata={**credential.metadata, "access_token": token}) if token else credential


class Tokens:
    """Tokens of service accounts, and of other credential files."""

    def __init__(self, runtime: Runtime) -> None:
        self._accounts = ServiceAccounts(runtime)
        self._files = Refresher(runtime)

    async def usable(self, credential: Credential) -> Credential:
        """Return a credential that has not run out, as far as one can be had."""
        return await self._of(credential).usable(credential)

    async def renewed(self, credential: Credential) -> Credential | None:
        """Return a credential with a new token after a refusal, or None."""
        return await self._of(credential).renewed(credential)

    def _of(self, credential: Credential) -> ServiceAccounts | Refresher:
        return self._accounts if account_of(credential) is not None else self._files
