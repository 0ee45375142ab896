"""Asking a token endpoint (OAuth 2)."""

import asyncio
import json
from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import OutboundFailed
from gateway.internal.outbound.proxy import Proxy
from gateway.internal.outbound.redirects import Hop

ANSWERED_WITHIN = 30.0
REFUSED_SECONDS = 30 * 60.0
"""How long an endpoint that refused is not asked again with the same."""

UNANSWERED_SECONDS = 60.0
"""How long an endpoint that did not answer is not asked again."""

_LONGEST_ANSWER = 256 * 1024
_HEADERS = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}


def usable(url: str) -> bool:
    """Whether an address is one of the web."""
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
