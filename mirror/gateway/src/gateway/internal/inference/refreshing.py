"""New access tokens for credential files whose old one ran out, as OAuth 2 has it (`grant_type=refresh_token`).

Where a token is refreshed is never guessed: the file names its ``token_endpoint``, or `oauth-token-endpoints` names
one for its provider. Without either, a token lasts as long as it lasts.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import structlog

from gateway.internal.inference.token_endpoint import REFUSED_SECONDS, UNANSWERED_SECONDS, ask_for_token, usable
from gateway.internal.outbound.proxy import first_usable
from gateway.internal.outbound.tokens import ISSUED, endless, runs_out
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime

_LONGEST_LIFE = 10**9
_TAKEN_OVER = ("access_token", "refresh_token", "id_token", "token_type", "scope")
_HIDING = "accessToken"
"""A field whose token would be used rather than the new one."""
_log = structlog.get_logger("gateway")


@dataclass(frozen=True, slots=True)
class Request:
    """What a new token is asked for with."""

    url: str
    refresh_token: str = field(repr=False)
    client_id: str = ""
    client_secret: str = field(default="", repr=False)

    def form(self) -> dict[str, str]:
        """Return what is sent; what is empty stays away."""
        return {
            "grant_type": "refresh_token",
            "refresh_token": self.refresh_token,
            "client_id": self.client_id,
            "client_secret": self.client_secret,
        }


def request_for(credential: Credential, endpoints: Mapping[str, Mapping[str, str]]) -> Request | None:
    """Return how to refresh the token of a credential, None when it cannot be.

    Args:
        credential: Whose token it is.
        endpoints: ``oauth-token-endpoints``: ``url``, ``client-id`` and ``client-secret`` by provider. What stands
            there goes before what the file says.
    """
    known = endpoints.get(credential.provider, {})
    url = known.get("url") or _text(credential.metadata, "token_endpoint")
    token = _text(credential.metadata, "refresh_token")
    if not (credential.is_file and token and usable(url)):
        return None
    client = known.get("client-id") or _text(credential.metadata, "client_id")
    return Request(url, token, client, known.get("client-secret") or _text(credential.metadata, "client_secret"))


def refreshed(document: Mapping[str, object], answer: Mapping[str, object], now: datetime) -> dict[str, object]:
    """Return a credential file with a new token in it; everything else in it stays.

    Args:
        document: The file.
        answer: Of the token endpoint.
        now: The present moment.
    """
    taken = {name: answer[name] for name in _TAKEN_OVER if isinstance(answer.get(name), str) and answer[name]}
    document = {name: value for name, value in document.items() if name != _HIDING}
    lasts = answer.get("expires_in")
    if isinstance(lasts, int | float) and not isinstance(lasts, bool) and lasts > 0:
        seconds = int(min(lasts, _LONGEST_LIFE))
        taken |= {"expires_in": seconds, "expired": _written(now + timedelta(seconds=seconds))}
        if ISSUED in document:
            taken[ISSUED] = int(now.timestamp() * 1000)
    else:
        document = endless(document)
    return {**document, **taken, "last_refresh": _written(now)}


class Refresher:
    """Refreshes tokens when they are needed, each only once however many requests wait for it.

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
        self._refreshes = runtime.traffic.refreshes

    async def usable(self, credential: Credential) -> Credential:
        """Return a credential as it is, or with a new token when its own has run out and a new one can be had."""
        if not credential.is_file or not runs_out(credential.metadata, self._now()):
            return credential
        return await self.renewed(credential) or credential

    async def renewed(self, credential: Credential) -> Credential | None:
        """Return a credential with a new token, None when there is none to be had."""
        now = self._runtime.snapshot.by_id(credential.id)
        if now is None or now.revision != credential.revision:
            return now  # it is gone, or somebody else was faster
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
        if status != HTTPStatus.OK or not _text(answer, "access_token"):
            refused = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
            wait = REFUSED_SECONDS if refused else UNANSWERED_SECONDS
            self._refreshes.failed[credential.id] = (credential.revision, self._monotonic() + wait)
            _log.warning("a token could not be refreshed", credential=credential.id, status=status)
            return None
        self._refreshes.failed.pop(credential.id, None)
        return await self._runtime.exclusively(lambda: self._store(credential, request, answer))

    async def _store(self, credential: Credential, request: Request, answer: Mapping[str, object]) -> Credential | None:
        """Write the new token into the file, unless it has another refresh token by now; return what counts then."""
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


def _text(values: Mapping[str, object], name: str) -> str:
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
