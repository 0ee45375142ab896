"""Notifications: one request to an address of the operator's, the only HTTP request of the extension's own."""

from collections.abc import Mapping
from http import HTTPStatus
from random import Random
from typing import Any, Final

import aiohttp
import structlog

from adapter.clock import Clock
from adapter.secret import Secret
from extension.engine.outage import backoff

_LOG = structlog.get_logger("poolkeeper.notify")

ATTEMPTS: Final = 3
_TIMEOUT_SECONDS: Final = 10.0


class Webhook:
    """Posts JSON to one address; the address may hold a token, so it is never told."""

    def __init__(self, address: Secret, clock: Clock, random: Random) -> None:
        self._address = address
        self._clock = clock
        self._random = random

    async def send(self, message: Mapping[str, Any]) -> bool:
        """Post a message, trying up to three times with pauses; say whether it was taken. It never raises."""
        for attempt in range(1, ATTEMPTS + 1):
            problem = await self._post(message)
            if problem is None:
                return True
            _LOG.warning("webhook-failed", attempt=attempt, problem=problem)
            if attempt < ATTEMPTS:
                await self._clock.sleep(backoff(attempt, self._random, first=2.0))
        return False

    async def _post(self, message: Mapping[str, Any]) -> str | None:
        timeout = aiohttp.ClientTimeout(total=_TIMEOUT_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(self._address.reveal(), json=dict(message), allow_redirects=False) as answer,
            ):
                return None if answer.status < HTTPStatus.MULTIPLE_CHOICES else f"HTTP {answer.status}"
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            return type(error).__name__
