"""Calls upstream through api-call, with every doubt about the gateway settled before a verdict can come of it."""

import json
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.pace import CallLimit
from adapter.management.client.release import Feature
from adapter.management.client.transport import Request
from adapter.management.listing.account_directory import AccountDirectory, Live
from adapter.management.upstream_answer import ACCEPTED, outcome
from adapter.port import AccountRef, Answer, FileRef, NoAnswer, NoAnswerKind, OutboundCall, Revision, errors
from adapter.privacy.file_secrets import secrets_in
from adapter.privacy.secret import Redactor
from adapter.rules.redacted_answers import bounded

_CALL: Final = management("api-call")
_DOWNLOAD: Final = management("auth-files/download")
_REFUSALS: Final = frozenset({401, 403})
_BODY_LIMIT: Final = 8 * 1024 * 1024
_LONGEST: Final = 60.0


class Caller:
    """Sends calls, a few at a time."""

    def __init__(self, link: GuardedClient, directory: AccountDirectory, pace: CallLimit, clock: Clock) -> None:
        self._link = link
        self._roster = directory
        self._pace = pace
        self._clock = clock
        self._redactors: dict[AccountRef, tuple[Revision, Redactor]] = {}

    async def call(self, request: OutboundCall, seconds: float) -> Answer | NoAnswer:
        """Send one call; see the port.

        A 401 or 403 counts only when the account is still live in a reading begun afterwards: of an index that went
        stale the gateway sends the placeholder itself, and the upstream's answer to that says nothing about the key.
        """
        release = await self._link.release()
        live = await self._roster.live(request.account)
        if live is None:
            raise errors.UnknownCredential("The account is not live: list the pool again. Nothing was sent.")
        body: dict[str, Any] = {
            "auth_index": live.account.auth_index,
            "method": request.method,
            "url": request.url,
            "header": dict(request.header),
            "data": request.body,
        }
        if release.own and release.has(Feature.CALL_TIMEOUT):
            body["timeout_seconds"] = min(seconds, _LONGEST)
        answered = await self._send(body, seconds)
        if isinstance(answered, NoAnswer):
            return answered
        if answered.status in _REFUSALS and not await self._roster.still_live(live, self._clock.monotonic()):
            raise errors.UnknownCredential(
                "The account stopped being live during the call, so its answer says nothing: list the pool again."
            )
        return bounded(answered, await self._redactor(live))

    async def _send(self, body: dict[str, Any], seconds: float) -> Answer | NoAnswer:
        allowed = seconds + self._link.cost * 2
        request = Request("POST", _CALL, body=json.dumps(body).encode(), seconds=allowed, limit=_BODY_LIMIT)
        async with self._pace.slot():
            started = self._clock.monotonic()
            try:
                reply = await self._link.once(request, ACCEPTED)
            except errors.TimedOut:
                elapsed = self._clock.monotonic() - started
                # a gateway that hangs is no evidence about any key: it has to answer something cheap at least
                await self._link.timed()
                return NoAnswer(NoAnswerKind.TIMEOUT, "no answer in time", elapsed)
            return outcome(reply, self._clock.monotonic() - started)

    async def _redactor(self, live: Live) -> Redactor:
        """What an upstream could echo: the key, or whatever the account's file holds that is named like a secret."""
        if live.api_key is not None:
            return Redactor([live.api_key])
        ref, revision = live.account.ref, live.account.revision
        known = self._redactors.get(ref)
        if known is None or known[0] != revision:
            secrets = await self._file_secrets(live) if isinstance(ref, FileRef) else []
            known = self._redactors[ref] = (revision, Redactor(secrets))
        return known[1]

    async def _file_secrets(self, live: Live) -> list[str]:
        try:
            return list(secrets_in(await self._link.read(_DOWNLOAD, name=live.account.file_name)))
        except errors.NotFound:
            return []
