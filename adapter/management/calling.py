"""Calls upstream through api-call, with every doubt about the gateway settled before a verdict can come of it."""

import json
from dataclasses import replace
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.pace import CallLimit
from adapter.management.client.release import Feature
from adapter.management.client.transport import Request
from adapter.management.listing.account_directory import AccountDirectory, LiveAccount
from adapter.management.upstream_answer import ACCEPTED, outcome
from adapter.port import Answer, NoAnswer, NoAnswerKind, OutboundCall, errors
from adapter.privacy.secret import Redactor
from adapter.rules.entry_headers import header_secrets, with_entry_headers, with_literal_key
from adapter.rules.redacted_answers import bounded

_CALL: Final = management("api-call")
_REFUSALS: Final = frozenset({401, 403})
_BODY_LIMIT: Final = 8 * 1024 * 1024
_LONGEST: Final = 60.0


class Caller:
    """Sends calls, a few at a time."""

    def __init__(self, client: GuardedClient, directory: AccountDirectory, pace: CallLimit, clock: Clock) -> None:
        self._client = client
        self._directory = directory
        self._pace = pace
        self._clock = clock

    async def call(self, request: OutboundCall, seconds: float) -> Answer | NoAnswer:
        """Send one call; see the port.

        A 401 or 403 counts only when the account is still live in a reading begun afterwards: for a stale index a stock
        gateway (v7.2.140) sends the placeholder itself, and the upstream's answer to that says nothing about the key.
        """
        release = await self._client.release()
        live = await self._directory.live(request.account)
        if live is None:
            raise errors.UnknownCredential("The account is not live: list the pool again. Nothing was sent.")
        body = _body(request, live)
        if release.own and release.has(Feature.CALL_TIMEOUT):
            body["timeout_seconds"] = min(seconds, _LONGEST)
        answered = await self._send(body, seconds)
        if isinstance(answered, NoAnswer):
            return answered
        ended = self._clock.monotonic()
        refused = answered.status in _REFUSALS and not live.account.detached
        if refused and not await self._directory.still_live(live, self._clock.monotonic()):
            raise errors.UnknownCredential(
                "The account stopped being live during the call, so its answer says nothing: list the pool again."
            )
        shown = bounded(answered, await self._redactor(live), self._directory.keys())
        return replace(shown, settled=self._clock.monotonic() - ended)

    async def _send(self, body: dict[str, Any], seconds: float) -> Answer | NoAnswer:
        allowed = seconds + self._client.cost * 2
        request = Request("POST", _CALL, body=json.dumps(body).encode(), seconds=allowed, limit=_BODY_LIMIT)
        async with self._pace.slot():
            started = self._clock.monotonic()
            try:
                reply = await self._client.once(request, ACCEPTED)
            except errors.TimedOut:
                elapsed = self._clock.monotonic() - started
                # a gateway that hangs is no evidence about any key: it has to answer a cheap call at least
                await self._client.timed()
                return NoAnswer(NoAnswerKind.TIMEOUT, "no answer in time", elapsed)
            return outcome(reply, self._clock.monotonic() - started)

    async def _redactor(self, live: LiveAccount) -> Redactor:
        """Return the redactor of an account: for its key, or for the fields of its file named like a secret."""
        if live.api_key is not None:
            return Redactor([live.api_key, *header_secrets(live.headers)])
        return (await self._directory.contents.of(live.account)).redactor


def _body(request: OutboundCall, live: LiveAccount) -> dict[str, Any]:
    """Return a call as the gateway takes it; a detached account's key and proxy are named literally."""
    body: dict[str, Any] = {"method": request.method, "url": request.url, "data": request.body}
    if not live.account.detached:
        return {
            **body,
            "auth_index": live.account.auth_index,
            "header": with_entry_headers(request.header, live.headers),
        }
    body["header"] = with_entry_headers(with_literal_key(request.header, live.api_key or ""), live.headers)
    return {**body, "proxy_url": live.proxy_url} if live.proxy_url else body
