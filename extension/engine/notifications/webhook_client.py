"""Webhook client: the only HTTP client of the extension itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from random import Random
from typing import Any, Final

import aiohttp
import structlog

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.engine.outage import backoff
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Parameter, because

_LOG = structlog.get_logger("poolkeeper.notify")

ATTEMPTS: Final = 3
_TIMEOUT_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Sent:
    """Result of a delivery: acceptance, number of attempts, and the problem of the last one."""

    taken: bool
    attempts: int
    problem: str = ""


class Webhook:
    """HTTP client for JSON messages; an address may hold a token, so it is never logged or returned."""

    def __init__(self, clock: Clock, random: Random) -> None:
        self._clock = clock
        self._random = random

    async def post(self, address: Secret, message: Mapping[str, Any], attempts: int = ATTEMPTS) -> Sent:
        """Post a message, retrying after a pause, and return the result of the delivery. It never raises."""
        problem = ""
        for attempt in range(1, attempts + 1):
            problem = await self._post(address, message)
            if not problem:
                return Sent(taken=True, attempts=attempt)
            _LOG.warning("webhook-failed", attempt=attempt, problem=problem)
            if attempt < attempts:
                await self._clock.sleep(backoff(attempt, self._random, first=2.0))
        return Sent(taken=False, attempts=attempts, problem=problem)

    async def _post(self, address: Secret, message: Mapping[str, Any]) -> str:
        """Post once; return the problem without the address, or an empty text."""
        timeout = aiohttp.ClientTimeout(total=_TIMEOUT_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(address.reveal(), json=dict(message), allow_redirects=False) as answer,
            ):
                return (
                    ""
                    if answer.status < HTTPStatus.MULTIPLE_CHOICES
                    else _said(ReasonCode.DELIVERY_STATUS, status=answer.status)
                )
        except TimeoutError:
            return _said(ReasonCode.DELIVERY_TIMED_OUT, seconds=round(_TIMEOUT_SECONDS))
        except aiohttp.ClientConnectionError:
            return _said(ReasonCode.DELIVERY_NO_CONNECTION)
        except (aiohttp.ClientError, ValueError) as error:
            return _said(ReasonCode.DELIVERY_FAILED, error=type(error).__name__)


def _said(code: ReasonCode, **parameters: Parameter) -> str:
    return because(code, **parameters).text
