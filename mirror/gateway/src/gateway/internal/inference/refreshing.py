"""Refreshing of access tokens of credential files, as in OAuth 2 (`grant_type=refresh_token`).

The token endpoint is never guessed: the file has a ``token_endpoint``, or `oauth-token-endpoints` has one for its
provider. Without either, a token is used until it expires.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

import structlog

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import OutboundFailed
from gateway.internal.outbound.proxy import Proxy, first_usable
from gateway.internal.outbound.redirects import Hop
from gateway.internal.outbound.tokens import ISSUED, endless, runs_out
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.folder import text_of
from gateway.internal.runtime import Runtime

ANSWERED_WITHIN = 30.0
REFUSED_SECONDS = 30 * 60.0
"""Pause after a refusal by the endpoint."""

UNANSWERED_SECONDS = 60.0
"""Pause after no answer from the endpoint."""

_LONGEST_ANSWER = 256 * 1024
_HEADERS = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}


def usable(url: str) -> bool:
    """Return whether an address is an HTTP URL."""
    try:
        split = urlsplit(url)
        return split.scheme in {"http", "https"} and bool(split.hostname) and split.port != 0
    except ValueError:
        return False


async def ask_for_token(
    outbound: Outbound, url: str, form: Mapping[str, str], proxy: Proxy
) -> tuple[int, Mapping[str, object]]:
    """Return status and answer of a token endpoint; 0 when there was none. Redirects are not followed."""
    hop = Hop("POST", url, _HEADERS, urlencode({name: value for name, value in form.items() if value}).encode())
    try:
        async with asyncio.timeout(ANSWERED_WITHIN):
            stream = await outbound.stream(hop, proxy)
            try:
                body = bytearray()
                async for chunk in stream.chunks():
                    body += chunk
                    if len(body) > _LONGEST_ANSWER:
                        return 0, {}
            finally:
                await stream.close()
    except (OutboundFailed, TimeoutError):
        return 0, {}
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    return stream.status, answer if isinstance(answer, dict) else {}


_LONGEST_LIFE = 10**9
_TAKEN_OVER = ("access_token", "refresh_token", "id_token", "token_type", "scope")
_HIDING = "accessToken"
"""A field whose token would take precedence over the new one."""
_log = structlog.get_logger("gateway")


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """A request for a new token."""

    url: str
    refresh_token: str = field(repr=False)
    client_id: str = ""
    client_secret: str = field(default="", repr=False)

    def form(self) -> dict[str, str]:
        """Return the form; empty fields are not sent."""
        return {
            "grant_type": "refresh_token",
            "refresh_token": self.refresh_token,
            "client_id": self.client_id,
            "client_secret": self.client_secret,
        }


def request_for(credential: Credential, endpoints: Mapping[str, Mapping[str, str]]) -> TokenRequest | None:
    """Return the request that refreshes the token of a credential, or None.

    ``endpoints`` is ``oauth-token-endpoints``: ``url``, ``client-id`` and ``client-secret`` by provider. It takes
    precedence over the file.
    """
    endpoint = endpoints.get(credential.provider, {})
    url = endpoint.get("url") or text_of(credential.metadata, "token_endpoint")
    token = text_of(credential.metadata, "refresh_token")
    if not (credential.is_file and token and usable(url)):
        return None
    client = endpoint.get("client-id") or text_of(credential.metadata, "client_id")
    return TokenRequest(
        url, token, client, endpoint.get("client-secret") or text_of(credential.metadata, "client_secret")
    )


def refreshed(document: Mapping[str, object], answer: Mapping[str, object], now: datetime) -> dict[str, object]:
    """Return a credential file with a new token; all other fields stay."""
    changes = {name: answer[name] for name in _TAKEN_OVER if isinstance(answer.get(name), str) and answer[name]}
    document = {name: value for name, value in document.items() if name != _HIDING}
    lasts = answer.get("expires_in")
    if isinstance(lasts, int | float) and not isinstance(lasts, bool) and lasts > 0:
        seconds = int(min(lasts, _LONGEST_LIFE))
        changes |= {"expires_in": seconds, "expired": _written(now + timedelta(seconds=seconds))}
        if ISSUED in document:
            changes[ISSUED] = int(now.timestamp() * 1000)
    else:
        document = endless(document)
    return {**document, **changes, "last_refresh": _written(now)}


class Refresher:
    """Refreshes tokens when needed, each only once for all waiting requests."""

    def __init__(
        self,
        runtime: Runtime,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._runtime = runtime
        self._now = now
        self._monotonic = monotonic
        self._refreshes = runtime.traffic.refreshes

    async def usable(self, credential: Credential) -> Credential:
        """Return a credential, with a new token when its own has expired and can be refreshed."""
        if not credential.is_file or not runs_out(credential.metadata, self._now()):
            return credential
        return await self.renewed(credential) or credential

    async def renewed(self, credential: Credential) -> Credential | None:
        """Return a credential with a new token, or None."""
        now = self._runtime.snapshot.by_id(credential.id)
        if now is None or now.revision != credential.revision:
            return now  # it is gone, or already has another token
        revision, until = self._refreshes.failed.get(credential.id, ("", 0.0))
        if revision == credential.revision and until > self._monotonic():
            return None
        task = self._refreshes.running.get(credential.id)
        if task is None:
            task = self._refreshes.running[credential.id] = asyncio.create_task(self._refresh(credential))
            task.add_done_callback(lambda _: self._refreshes.running.pop(credential.id, None))
        return await asyncio.shield(task)

    async def _refresh(self, credential: Credential) -> Credential | None:
        request = request_for(credential, self._runtime.configuration.traffic.token_endpoints)
        if request is None:
            return None
        proxy = first_usable((credential.proxy_url, self._runtime.configuration.proxy_url))
        status, answer = await ask_for_token(self._runtime.outbound, request.url, request.form(), proxy)
        if status != HTTPStatus.OK or not text_of(answer, "access_token"):
            refused = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
            wait = REFUSED_SECONDS if refused else UNANSWERED_SECONDS
            self._refreshes.failed[credential.id] = (credential.revision, self._monotonic() + wait)
            _log.warning("a token could not be refreshed", credential=credential.id, status=status)
            return None
        self._refreshes.failed.pop(credential.id, None)
        return await self._runtime.exclusively(lambda: self._store(credential, request, answer))

    async def _store(
        self, credential: Credential, request: TokenRequest, answer: Mapping[str, object]
    ) -> Credential | None:
        """Write the new token into the file, unless its refresh token changed; return the current credential."""
        path = credential.path
        try:
            document = json.loads(await self._runtime.read_file(path)) if path else None
            if path and isinstance(document, dict) and document.get("refresh_token") == request.refresh_token:
                content = refreshed(document, answer, self._now())
                text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                await self._runtime.write_file(path, text.encode())
        except (OSError, ValueError):
            _log.error("a refreshed token could not be saved; the file must be renewed by hand", file=credential.id)
        await self._runtime.refresh()
        now = self._runtime.snapshot.by_id(credential.id)
        return now if now is not None and now.revision != credential.revision else None


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
