"""Calls of upstreams with a credential of the pool: ``POST /api-call`` without HTTP."""

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeAlias
from urllib.parse import urlsplit

from gateway.internal.configuration.model import Configuration, Profile
from gateway.internal.inference.refreshing import Refresher, request_for
from gateway.internal.outbound.body import as_text
from gateway.internal.outbound.failure import FailureKind, OutboundFailed
from gateway.internal.outbound.guard import Guard, guard_of
from gateway.internal.outbound.proxy import Proxy, first_usable, parse_proxy
from gateway.internal.outbound.redirects import Hop, is_token, sendable, writable
from gateway.internal.outbound.tokens import (
    PLACEHOLDER,
    TokenMissing,
    names_with_placeholder,
    needs_refresh,
    substitute,
    token_of,
)
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.snapshot import PoolSnapshot
from gateway.internal.runtime import Runtime

DEFAULT_SECONDS = 60.0
BODY_LIMIT = 2 * 1024 * 1024
_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
_NO_PORT = re.compile(r":(?![0-9]*\Z)[^:\]@]*\Z")
_SURROGATES = re.compile("[\ud800-\udfff]")


class CallRefused(Exception):  # noqa: N818 - it names what happened
    """The call was not made because of the request; ``str()`` is the text of the management answer.

    Attributes:
        status: HTTP status of the management answer.
    """

    status = 400


class UnknownCredential(CallRefused):
    """No live credential has this auth_index, so that the placeholder could not be replaced."""

    status = 404


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A call.

    Attributes:
        method: HTTP method, in any case.
        url: Absolute address.
        auth_index: Credential whose token replaces ``$TOKEN$``; empty for none.
        header: Request headers; ``$TOKEN$`` is replaced in the values only.
        data: Request body; empty for none.
        proxy_url: Proxy for this call, ``direct``, or empty for the configured one.
    """

    method: str
    url: str = field(repr=False)
    auth_index: str = ""
    header: Mapping[str, str] = field(default_factory=dict, repr=False)
    data: str = field(default="", repr=False)
    proxy_url: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """An answer of the upstream.

    Attributes:
        status: Its status, also of an error.
        header: Names as Go spells them, sorted; each with its values in order.
        body: At most ``BODY_LIMIT`` bytes in the extended profile, decompressed.
        truncated: True when the body was longer.
        elapsed: Seconds from sending to the last byte read.
    """

    status: int
    header: Mapping[str, tuple[str, ...]] = field(repr=False)
    body: bytes = field(repr=False)
    truncated: bool
    elapsed: float

    @property
    def text(self) -> str:
        """Body as text; bytes that are not UTF-8 become replacement characters."""
        return as_text(self.body)


@dataclass(frozen=True, slots=True)
class CallFailure:
    """A call without an answer, or one blocked by the guard (``kind`` is ``blocked``).

    Attributes:
        detail: A short description without secrets.
        elapsed: Seconds from sending to giving up.
        reading: True when the answer had begun and its body broke off.
        stale: True when a kept connection was closed under the call: the upstream may not have seen it. The gateway
            does not repeat the call.
    """

    kind: FailureKind
    detail: str
    elapsed: float
    reading: bool = False
    stale: bool = False


CallOutcome: TypeAlias = CallAnswer | CallFailure


async def api_call(
    runtime: Runtime,
    request: CallRequest,
    timeout: float = DEFAULT_SECONDS,  # noqa: ASYNC109 - the timeout is part of the answer, not an exception
) -> CallOutcome:
    """Call an upstream and return its answer. Cancelling this cancels the call.

    ``timeout`` is in seconds, for connecting, redirects and reading together.

    Raises:
        UnknownCredential: The auth_index names no live credential (extended profile only; the stock profile sends the
            placeholder unchanged).
        CallRefused: The request is invalid.
    """
    extended = runtime.configuration.management_profile is Profile.EXTENDED
    _check(request)
    proxy = _supplied_proxy(request, runtime.snapshot)
    credential = runtime.snapshot.by_index(request.auth_index) if request.auth_index else None
    if extended:
        _check_credential(request, credential)
    chosen = proxy or _configured_proxy(runtime.configuration, credential)
    guard = guard_for(runtime.configuration, runtime.snapshot) if extended else None
    began = time.monotonic()
    try:
        async with asyncio.timeout(timeout):
            hop = _hop(request, await _renewed(runtime, request, credential))
            answer = await runtime.outbound.send(
                hop, proxy=chosen, guard=guard, limit=None if guard is None else BODY_LIMIT
            )
    except TimeoutError:
        return CallFailure(FailureKind.TIMEOUT, f"no answer within {timeout:g} s", time.monotonic() - began)
    except OutboundFailed as failed:
        return CallFailure(failed.kind, failed.detail, time.monotonic() - began, failed.reading, failed.stale)
    return CallAnswer(answer.status, answer.header, answer.body, answer.truncated, time.monotonic() - began)


async def _renewed(runtime: Runtime, request: CallRequest, credential: Credential | None) -> Credential | None:
    """Return the credential with a new token, where one is needed and its endpoint is known."""
    if credential is None or not names_with_placeholder(request.header):
        return credential
    endpoints = runtime.configuration.traffic.token_endpoints
    if not needs_refresh(credential, datetime.now(UTC)) or request_for(credential, endpoints) is None:
        return credential
    renewed = await Refresher(runtime).renewed(credential)
    if renewed is None:
        raise CallRefused("auth token refresh failed")
    return renewed


def _check(request: CallRequest) -> None:
    if not request.method:
        raise CallRefused("missing method")
    if not request.url:
        raise CallRefused("missing url")
    if not _usable(request.url):
        raise CallRefused("invalid url")


def _usable(url: str) -> bool:
    """Return whether an address has a scheme, a host, a numeric port, complete escapes and no control characters."""
    try:
        split = urlsplit(url)
    except ValueError:
        return False
    whole = not any(map(_BROKEN_ESCAPE.search, (split.netloc, split.path, split.fragment)))
    there = bool(split.scheme and split.hostname) and not _NO_PORT.search(split.netloc)
    return there and whole and url.isprintable() and " " not in split.netloc


def _supplied_proxy(request: CallRequest, snapshot: PoolSnapshot) -> Proxy | None:
    named = request.proxy_url.strip()
    if not named:
        return None
    # A disabled entry has no auth_index, so its proxy can only be named; the configuration trusts it all the same.
    credentials = (*snapshot.credentials, *snapshot.dormant)
    configured = any(credential.proxy_url.strip() == named for credential in credentials)
    proxy = parse_proxy(named, supplied=not configured)
    if proxy is None:
        raise CallRefused("invalid proxy_url")
    return proxy


def _check_credential(request: CallRequest, credential: Credential | None) -> None:
    if request.auth_index and credential is None:
        raise UnknownCredential("auth not found")
    if credential is None and names_with_placeholder(request.header):
        raise CallRefused(f"auth_index is required to replace {PLACEHOLDER}")


def _hop(request: CallRequest, credential: Credential | None) -> Hop:
    header = sendable(request.header)
    secret_names = names_with_placeholder(header)
    if credential is not None and secret_names:
        try:
            header = substitute(header, token_of(credential, datetime.now(UTC)))
        except TokenMissing as missing:
            raise CallRefused(str(missing)) from None
    method = request.method.upper()
    if not is_token(method):
        raise CallRefused("failed to build request")
    if not writable(header):
        raise OutboundFailed(FailureKind.UNKNOWN, "the name or value of a header holds characters that cannot be sent")
    return Hop(method, request.url, header, _SURROGATES.sub("\ufffd", request.data).encode(), secret_names)


def _configured_proxy(configuration: Configuration, credential: Credential | None) -> Proxy:
    proxy_url = credential.proxy_url if credential is not None else ""
    return first_usable((proxy_url, configuration.proxy_url))


def guard_for(configuration: Configuration, snapshot: PoolSnapshot) -> Guard:
    """Return the guard of the configuration: public addresses, its base URLs, and its allow-list."""
    listed = configuration.document.get("api-call-allow")
    return _guard(snapshot, tuple(map(str, listed)) if isinstance(listed, list) else ())


@lru_cache(maxsize=2)
def _guard(snapshot: PoolSnapshot, allowed: tuple[str, ...]) -> Guard:
    """Build the guard once per snapshot: reading ten thousand addresses takes longer than a call."""
    credentials = (*snapshot.credentials, *snapshot.dormant)
    return guard_of((credential.base_url for credential in credentials), allowed)
