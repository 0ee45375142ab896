"""Usage event: one upstream attempt, without any secret."""

from dataclasses import dataclass, field

from extension.usage.tokens import TokenCounts


@dataclass(frozen=True, slots=True)
class UsageEvent:
    """One upstream attempt as stored. Texts are names of the gateway's; "" where the record has none."""

    at: int
    """Start of the request, integer milliseconds UTC."""
    account: str = ""
    """The gateway's index of the credential, or a fingerprint where the record has no index."""
    client: str = ""
    """Fingerprint of the client key."""
    model: str = ""
    """Upstream model."""
    alias: str = ""
    """Requested model."""
    provider: str = ""
    endpoint: str = ""
    tier: str = ""
    """Service tier of the answer, else of the request."""
    failure: str = ""
    """Status and error code of a failed attempt; "" for a success."""
    status: int = 0
    latency_ms: int = 0
    ttft_ms: int = 0
    request_id: int = 0
    """The gateway's hexadecimal request id; 0 where it is none."""
    tokens: TokenCounts = field(default_factory=TokenCounts)
    digest: int = 0
    """Keyed hash of the raw record, by which a duplicate is recognized; signed, 64 bits."""
