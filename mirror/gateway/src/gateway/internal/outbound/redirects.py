"""Requests of calls: header names in Go's spelling, headers with credentials, and redirects."""

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from urllib.parse import SplitResult, urljoin, urlsplit

from gateway.internal.outbound.failure import FailureKind, OutboundFailed
from gateway.internal.outbound.guard import place_of, sent_url

_TOKEN_CHARACTERS = frozenset(string.ascii_letters + string.digits + "!#$%&'*+-.^_`|~")
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
_SET_BY_THE_CLIENT = frozenset({"content-length", "transfer-encoding", "trailer"})
_HIDDEN_FROM_ANSWERS = frozenset({"transfer-encoding"})
_CREDENTIALS = frozenset(
    {
        "api-key",
        "authorization",
        "cookie",
        "cookie2",
        "proxy-authenticate",
        "proxy-authorization",
        "www-authenticate",
        "x-api-key",
        "x-goog-api-key",
    }
)


def is_token(text: str) -> bool:
    """Return whether a text is valid as a method or header name."""
    return bool(text) and _TOKEN_CHARACTERS.issuperset(text)


def carries_credential(name: str) -> bool:
    """Return whether a header usually holds a credential."""
    return name.lower() in _CREDENTIALS


@lru_cache(maxsize=1024)
def canonical(name: str) -> str:
    """Return a header name in Go's spelling, ``x-request-id`` as ``X-Request-Id``; an invalid name stays unchanged."""
    return "-".join(part.capitalize() for part in name.split("-")) if is_token(name) else name


def writable(header: Mapping[str, str]) -> bool:
    """Return whether every name is a token and every value free of control characters."""
    return all(is_token(name) and not _CONTROL.search(value) for name, value in header.items())


def sendable(header: Mapping[str, str]) -> dict[str, str]:
    """Return the headers except those set by the client itself; of a repeated name the last counts."""
    return {canonical(name): value for name, value in header.items() if name.lower() not in _SET_BY_THE_CLIENT}


def multimap(items: Iterable[tuple[str, str]], *, without: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the headers of an answer, names canonical and sorted, values in their order."""
    hidden = _HIDDEN_FROM_ANSWERS.union(without)
    collected: dict[str, list[str]] = {}
    for name, value in items:
        if name.lower() not in hidden:
            collected.setdefault(canonical(name), []).append(value)
    return {name: tuple(collected[name]) for name in sorted(collected)}


MOST_REQUESTS = 10
_TURNS_INTO_GET = frozenset({301, 302, 303})
_KEEPS_METHOD = frozenset({307, 308})
_ABOUT_THE_BODY = frozenset({"content-type", "content-encoding", "content-language"})


@dataclass(frozen=True, slots=True)
class Hop:
    """A request on the way.

    Attributes:
        header: Names in canonical spelling.
        secret_names: Lower-case names of headers that hold a credential of the pool.
    """

    method: str
    url: str = field(repr=False)
    header: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)
    secret_names: frozenset[str] = frozenset()


def next_hop(hop: Hop, status: int, location: str | None) -> Hop | None:
    """Return the request after a redirect, or None when the answer is final.

    301, 302 and 303 become GET without a body (HEAD stays HEAD), 307 and 308 keep both. No credential ever goes to
    another host, another port, or from https to http: every header with one is dropped for good.

    Raises:
        OutboundFailed: The new address is invalid.
    """
    if not location or status not in _TURNS_INTO_GET | _KEEPS_METHOD:
        return None
    url = _target(hop.url, location)
    header = dict(hop.header)
    if urlsplit(location).netloc:
        header.pop("Host", None)
    if not _same_place(hop.url, url):
        header = {name: value for name, value in header.items() if not _secret(name, hop)}
    if status in _KEEPS_METHOD or hop.method == "HEAD":
        return replace(hop, url=url, header=header)
    if hop.method != "GET":
        header = {name: value for name, value in header.items() if name.lower() not in _ABOUT_THE_BODY}
    return replace(hop, method="GET", url=url, header=header, body=b"")


def _secret(name: str, hop: Hop) -> bool:
    return carries_credential(name) or name.lower() in hop.secret_names


def _target(base: str, location: str) -> str:
    try:
        split = urlsplit(urljoin(base, location))
        _ = split.port, sent_url(split.geturl()).raw_host
    except ValueError:
        raise OutboundFailed(FailureKind.UNKNOWN, "the redirect leads to an address that cannot be read") from None
    if split.scheme not in {"http", "https"} or not split.hostname:
        raise OutboundFailed(FailureKind.UNKNOWN, "the redirect leads to something that is not http")
    return _without_user(split).geturl()


def _without_user(split: SplitResult) -> SplitResult:
    return split._replace(netloc=split.netloc.rpartition("@")[2], fragment="")


def _same_place(before: str, after: str) -> bool:
    """Return whether host and port are the same; on the same host also from http to https on default ports."""
    old, new = urlsplit(before), urlsplit(after)
    if old.scheme == "https" and new.scheme == "http":
        return False
    upgraded = old.scheme == "http" and new.scheme == "https" and not old.port and not new.port
    return place_of(before) == place_of(after) or (upgraded and sent_url(before).raw_host == sent_url(after).raw_host)
