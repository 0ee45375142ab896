"""An attempt at one upstream: sent, and judged by the beginning of its answer."""

import hashlib
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gateway.internal.inference.catalogue import Offer
from gateway.internal.inference.cooldown import Failure, is_unsupported, retry_after
from gateway.internal.inference.forwarding import address_for, headers_for
from gateway.internal.inference.request import InferenceRequest
from gateway.internal.outbound.body import as_text
from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import OutboundFailed
from gateway.internal.outbound.proxy import Proxy
from gateway.internal.outbound.redirects import Hop
from gateway.internal.outbound.streaming import Stream
from gateway.internal.outbound.tokens import TokenMissing, token_of
from gateway.internal.pool.credential import Credential
from gateway.internal.usage.record import Target

LONGEST_ERROR = 64 * 1024
_FIRST_ERROR = 300
_FIRST_CLIENT_ERROR = 400
_EVENTS = "text/event-stream"
_JSON = "application/json"
_HIDDEN = b"****"


@dataclass(frozen=True, slots=True)
class Good:
    """A successful attempt; ``first`` is the beginning of the body, ``rest`` is still to come."""

    stream: Stream
    first: bytes = field(repr=False)
    rest: AsyncIterator[bytes] = field(repr=False)
    first_byte: float

    @property
    def streamed(self) -> bool:
        return self.stream.header.get("Content-Type", ("",))[0].lower().startswith(_EVENTS)


@dataclass(frozen=True, slots=True)
class Bad:
    """A failed attempt: an error, or no answer.

    Attributes:
        failure: The failure for cool-downs and retries.
        body: The error, at most ``LONGEST_ERROR`` bytes of it.
        shown: The same for the client, without the key that an upstream may repeat.
        detail: Reason for no answer; empty when there was one.
    """

    failure: Failure
    body: bytes = field(default=b"", repr=False)
    shown: bytes = field(default=b"", repr=False)
    content_type: str = _JSON
    header: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    detail: str = ""
    elapsed: float = 0.0


def hop_for(offer: Offer, request: InferenceRequest, now: datetime) -> Hop | None:
    """Return the request for an upstream; None when the credential lacks a token or address."""
    credential = offer.credential
    url = address_for(offer.family, credential, request, offer.upstream)
    try:
        token = token_of(credential, now)
    except TokenMissing:
        if credential.is_file:
            return None
        token = ""  # a compat provider without keys wants none
    if not url:
        return None
    headers = headers_for(offer.family, credential, request, token)
    holding = frozenset(name.lower() for name, value in headers.items() if token and token in value)
    return Hop("POST", url, headers, request.body_for(offer.upstream), holding)


async def attempt(outbound: Outbound, hop: Hop, proxy: Proxy) -> Good | Bad:
    """Send a request and wait for the beginning of its answer, or for a whole error. Cancelling ends it."""
    began = time.monotonic()
    try:
        stream = await outbound.stream(hop, proxy)
    except OutboundFailed as failed:
        return Bad(Failure(0, stale=failed.stale), detail=failed.detail, elapsed=time.monotonic() - began)
    try:
        rest = stream.chunks()
        if stream.status < _FIRST_ERROR:
            first = await anext(rest, b"")
            return Good(stream, first, rest, time.monotonic() - began)
        body = await _limited(rest)
    except OutboundFailed as failed:
        await stream.close()
        return Bad(Failure(0), detail=failed.detail, elapsed=time.monotonic() - began)
    except BaseException:
        await stream.close()
        raise
    await stream.close()
    return _judged(stream, body, _secret(hop), time.monotonic() - began)


async def _limited(chunks: AsyncIterator[bytes]) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) >= LONGEST_ERROR:
            break
    return bytes(body[:LONGEST_ERROR])


def _judged(stream: Stream, body: bytes, secret: str, elapsed: float) -> Bad:
    """Judge an error. A client could not follow a redirect, so it counts as a failing upstream."""
    wait = stream.header.get("Retry-After", ("",))[0]
    redirected = stream.status < _FIRST_CLIENT_ERROR
    failure = Failure(
        0 if redirected else stream.status,
        retry_after(wait, datetime.now(UTC)),
        is_unsupported(stream.status, as_text(body)),
    )
    return Bad(
        failure,
        body,
        body.replace(secret.encode(), _HIDDEN) if secret else body,
        stream.header.get("Content-Type", (_JSON,))[0],
        stream.header,
        "it redirects, and the gateway does not follow with a credential" if redirected else "",
        elapsed,
    )


def target_of(offer: Offer, request: InferenceRequest, hop: Hop) -> Target:
    """Return the target of the usage record."""
    credential = offer.credential
    return Target(
        source=_source(credential),
        auth_index=credential.auth_index,
        provider=credential.provider,
        executor=offer.family.executor,
        model=offer.upstream,
        alias=request.model,
        auth_type="oauth" if credential.is_file else "apikey",
        token_fingerprint=hashlib.sha256(_secret(hop).encode()).hexdigest() if credential.is_file else "",
    )


def _secret(hop: Hop) -> str:
    values = (value for name, value in hop.header.items() if name.lower() in hop.secret_names)
    return next(values, "").removeprefix("Bearer ")


def _source(credential: Credential) -> str:
    email = credential.metadata.get("email")
    return credential.api_key or (email.strip() if isinstance(email, str) else "") or credential.id
