"""Where a redirected call goes next, and what it may take along."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import SplitResult, urljoin, urlsplit

from gateway.internal.outbound.failure import FailureKind, OutboundFailed
from gateway.internal.outbound.headers import carries_credential
from gateway.internal.outbound.target import place_of, sent_url

MOST_REQUESTS = 10
_TURNS_INTO_GET = frozenset({301, 302, 303})
_KEEPS_METHOD = frozenset({307, 308})
_ABOUT_THE_BODY = frozenset({"content-type", "content-encoding", "content-language"})


@dataclass(frozen=True, slots=True)
class Hop:
    """One request on the way.

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
    """Return the request a redirect asks for, or None when the answer is to be handed on as it is.

    301, 302 and 303 become GET without a body (HEAD stays HEAD), 307 and 308 keep both. No credential ever goes to
    another host, another port, or from https to http: every header that holds one is left behind, for good.

    Raises:
        OutboundFailed: The address to go to cannot be read.
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
    """Same host and port; on the same host also the step from http to https, each on its usual port."""
    old, new = urlsplit(before), urlsplit(after)
    if old.scheme == "https" and new.scheme == "http":
        return False
    upgraded = old.scheme == "http" and new.scheme == "https" and not old.port and not new.port
    return place_of(before) == place_of(after) or (upgraded and sent_url(before).raw_host == sent_url(after).raw_host)
