"""Senders of the two kinds of channel: one posts JSON, one uses the Apprise library, imported only where it is used."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from random import Random
from typing import Any, Final

import aiohttp
import structlog

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.engine.errors import ChannelLibraryMissing
from extension.engine.notifications.channels import Sent, can_be_called
from extension.engine.notifications.messages import MessageText, message_text
from extension.engine.outage import backoff
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, Reason, ReasonList, because

_LOG = structlog.get_logger("poolkeeper.channel")
_PAUSES: Sequence[float] = (2.0, 8.0)
"""Seconds before the second and the third attempt."""


class AppriseClient:
    """Sender of messages to addresses of the Apprise library."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def flaw(self, address: Secret) -> Reason | None:
        """Return why the library cannot use an address, or None where it can. Raises `ChannelLibraryMissing`."""
        if await asyncio.to_thread(_is_known, address):
            return None
        return Reason(ReasonCode.CHANNEL_ADDRESS, {"field": "address"})

    async def send(self, address: Secret, message: Mapping[str, Any], *, is_test: bool) -> Sent:
        """Send a message as text, repeated after a pause unless it is a test, and return the result of the delivery."""
        pauses = () if is_test else _PAUSES
        for attempt in range(1, len(pauses) + 2):
            try:
                taken = await asyncio.to_thread(_send, address, message_text(message))
            except ChannelLibraryMissing:
                return Sent(taken=False, attempts=attempt, problem=because(ReasonCode.DELIVERY_NO_LIBRARY))
            if taken:
                return Sent(taken=True, attempts=attempt)
            _LOG.warning("channel-failed", attempt=attempt)
            if attempt <= len(pauses):
                await self._clock.sleep(pauses[attempt - 1])
        return Sent(taken=False, attempts=len(pauses) + 1, problem=because(ReasonCode.DELIVERY_NOT_TAKEN))


def _library() -> Any:
    try:
        import apprise
    except ImportError:
        raise ChannelLibraryMissing from None
    # Its log quotes addresses and answers, which may hold tokens.
    logging.getLogger("apprise").setLevel(logging.CRITICAL)
    return apprise


def _is_known(address: Secret) -> bool:
    return _library().Apprise.instantiate(address.reveal(), suppress_exceptions=True) is not None


def _send(address: Secret, text: MessageText) -> bool:
    sender = _library().Apprise()
    return bool(sender.add(address.reveal()) and sender.notify(title=text.title, body=text.body))


ATTEMPTS: Final = 3
_TIMEOUT_SECONDS: Final = 10.0


class WebhookClient:
    """HTTP client for JSON messages; an address may hold a token, so it is never logged or returned."""

    def __init__(self, clock: Clock, random: Random) -> None:
        self._clock = clock
        self._random = random

    async def flaw(self, address: Secret) -> Reason | None:
        """Return why no message can be posted to an address, or None where one can."""
        if can_be_called(address.reveal()):
            return None
        return Reason(ReasonCode.CHANNEL_URL, {"field": "address"})

    async def send(self, address: Secret, message: Mapping[str, Any], *, is_test: bool) -> Sent:
        """Post a message, repeated after a pause unless it is a test, and return the result of the delivery."""
        attempts = 1 if is_test else ATTEMPTS
        problem = NO_REASON
        for attempt in range(1, attempts + 1):
            problem = await self._post(address, message)
            if not problem:
                return Sent(taken=True, attempts=attempt)
            _LOG.warning("webhook-failed", attempt=attempt, problem=problem.text)
            if attempt < attempts:
                await self._clock.sleep(backoff(attempt, self._random, first=2.0))
        return Sent(taken=False, attempts=attempts, problem=problem)

    async def _post(self, address: Secret, message: Mapping[str, Any]) -> ReasonList:
        """Post once; return the problem without the address, or none."""
        timeout = aiohttp.ClientTimeout(total=_TIMEOUT_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(address.reveal(), json=dict(message), allow_redirects=False) as answer,
            ):
                is_accepted = answer.status < HTTPStatus.MULTIPLE_CHOICES
                return NO_REASON if is_accepted else because(ReasonCode.DELIVERY_STATUS, status=answer.status)
        except TimeoutError:
            return because(ReasonCode.DELIVERY_TIMED_OUT, seconds=round(_TIMEOUT_SECONDS))
        except aiohttp.ClientConnectionError:
            return because(ReasonCode.DELIVERY_NO_CONNECTION)
        except (aiohttp.ClientError, ValueError) as error:
            return because(ReasonCode.DELIVERY_FAILED, error=type(error).__name__)
