"""Client of the Apprise library, which is imported only where a channel is used."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import structlog

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.engine.errors import ChannelLibraryMissing
from extension.engine.notifications.channels import Sent
from extension.engine.notifications.message_text import MessageText, message_text
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Reason, because

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
