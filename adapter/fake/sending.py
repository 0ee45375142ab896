"""A call as the fake gateway sends it."""

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from adapter.fake.state import FakeCredential
from adapter.fake.upstream import UpstreamRequest
from adapter.port import TOKEN_PLACEHOLDER, OutboundCall, errors
from adapter.rules.entry_headers import header_secrets, with_entry_headers


def prepared(request: OutboundCall, credential: FakeCredential) -> UpstreamRequest:
    """Return what reaches the upstream.

    Raises:
        Rejected: the call cannot be sent.
    """
    if not request.method or urlsplit(request.url).scheme not in {"http", "https"}:
        raise errors.Rejected("bad_request", "A call needs a method and an absolute http or https address.")
    header = {name: value.replace(TOKEN_PLACEHOLDER, credential.secret) for name, value in request.header.items()}
    if header != request.header and not credential.secret:
        raise errors.Rejected("token_not_found", "The account holds no credential to send.")
    header = with_entry_headers(header, _own_headers(credential))
    return UpstreamRequest(request.account, request.method.upper(), request.url, header, request.body)


def secrets_of(credential: FakeCredential) -> Iterator[str]:
    """Yield what the upstream must not repeat to us."""
    yield credential.secret
    yield from header_secrets(_own_headers(credential))


def _own_headers(credential: FakeCredential) -> Mapping[str, str]:
    return credential.record.facts.headers if credential.record else {}
