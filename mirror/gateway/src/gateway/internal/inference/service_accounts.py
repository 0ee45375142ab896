"""Access tokens of service accounts: asked for with a signed statement (RFC 7523), and kept until they end."""

import asyncio
import base64
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus

import structlog

from gateway.internal.inference.rsa import KeyUnreadable, read_key
from gateway.internal.inference.token_endpoint import REFUSED_SECONDS, UNANSWERED_SECONDS, ask_for_token, usable
from gateway.internal.outbound.proxy import first_usable
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
LASTS_SECONDS = 3600
_SPARE_SECONDS = 60.0
_log = structlog.get_logger("gateway")


def account_of(credential: Credential) -> Mapping[str, object] | None:
    """Return the service account a credential file holds, None when it holds none."""
    account = credential.metadata.get("service_account")
    return account if credential.is_file and isinstance(account, dict) else None


def statement(account: Mapping[str, object], audience: str, now: datetime) -> str:
    """Return the signed statement with which a service account asks for a token.

    Args:
        account: ``client_email``, ``private_key`` and ``private_key_id``, as the vendor's file has them.
        audience: The token endpoint.
        now: The present moment.

    Raises:
        KeyUnreadable: The account has no key that can sign.
    """
    key, issued = read_key(str(account.get("private_key", ""))), int(now.timestamp())
    header = {"alg": "RS256", "typ": "JWT", "kid": account.get("private_key_id", "")}
    claims = {
        "iss": account.get("client_email", ""),
        "scope": SCOPE,
        "aud": audience,
        "iat": issued,
        "exp": issued + LASTS_SECONDS,
    }
    signed = f"{_encoded(json.dumps(header).encode())}.{_encoded(json.dumps(claims).encode())}"
    return f"{signed}.{_encoded(key.sign(signed.encode()))}"


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class _Issued:
    """A token, or the knowledge that there is none (``token`` is empty), until a moment on the monotonic clock."""

    revision: str
    until: float
    token: str = field(default="", repr=False)


class ServiceAccounts:
    """Gets tokens for service accounts, each only once however many requests wait for it.

    Args:
        runtime: The live gateway.
        now: The clock.
        monotonic: Seconds that only grow.
    """

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
        """Return a credential with a token, or as it is when there is none to be had."""
        async with self._locks.setdefault(credential.id, asyncio.Lock()):
            issued = self._issued.get(credential.id)
            if issued is None or issued.revision != credential.revision or issued.until <= self._monotonic():
                issued = self._issued[credential.id] = await self._issue(credential)
        return _with(credential, issued.token)

    async def renewed(self, credential: Credential) -> Credential | None:
        """Return a credential whose token was refused with a new one, None when there is none to be had."""
        issued = self._issued.get(credential.id)
        if issued is not None and issued.token and issued.token == credential.metadata.get("access_token"):
            del self._issued[credential.id]
        fresh = await self.usable(credential)
        return fresh if fresh is not credential else None

    async def _issue(self, credential: Credential) -> _Issued:
        account = account_of(credential) or {}
        known = self._runtime.configuration.traffic.token_endpoints.get(credential.provider, {})
        url = known.get("url") or str(account.get("token_uri", ""))
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
