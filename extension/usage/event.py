"""Usage event: one upstream attempt, without any secret, its tokens and its cost."""

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Final, Protocol

from extension.usage.record_form import NO_PART, Part


class TokenQuality(StrEnum):
    """Reliability of the buckets of a record."""

    COMPLETE = "complete"
    """The buckets make up the total."""
    UNCLASSIFIED = "unclassified"
    """Part of the total belongs to no bucket."""
    INCONSISTENT = "inconsistent"
    """Buckets and total disagree; both are kept as reported."""


_SUM: Final = -1


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of one request: every token is in one bucket at most."""

    input: int = 0
    """Input read from no cache and written to none."""
    cache_read: int = 0
    cache_write_5m: int = 0
    """Input written to a cache for the usual lifetime, or for one that the record does not name."""
    cache_write_1h: int = 0
    output: int = 0
    """Output without reasoning."""
    reasoning: int = 0
    audio_in: int = 0
    audio_out: int = 0
    image_in: int = 0
    image_out: int = 0
    quality: TokenQuality = TokenQuality.COMPLETE
    total: int = _SUM
    """Total as reported; the sum of the buckets unless given."""

    def __post_init__(self) -> None:
        """Refuse negative counts, and a quality that contradicts the counts."""
        if self.total == _SUM:
            object.__setattr__(self, "total", self.classified)
        if min(self.total, *(getattr(self, name) for name in BUCKETS)) < 0:
            raise ValueError("A count of tokens is at least 0.")
        if self.quality is TokenQuality.COMPLETE and self.total != self.classified:
            raise ValueError("The buckets of complete counts make up the total.")

    @property
    def classified(self) -> int:
        """Sum of the buckets."""
        return sum(getattr(self, name) for name in BUCKETS)


BUCKETS: Final = tuple(field.name for field in fields(TokenCounts) if field.name not in {"quality", "total"})
"""Names of the buckets, in the order of the fields."""


PLACE: Final = "@"
"""Mark between a service tier and the place of an inference."""


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
    """Service tier of the answer, else of the request; `PLACE` and the place follow where that has a price."""
    failure: str = ""
    """Status and error code of a failed attempt; "" for a success."""
    status: int = 0
    latency_ms: int = 0
    ttft_ms: int = 0
    request_id: int = 0
    """The gateway's hexadecimal request id; 0 where it is none."""
    tokens: TokenCounts = field(default_factory=TokenCounts)
    searches: int = 0
    """Web searches, which are billed by number."""
    hidden: Part = NO_PART
    """Parts that the request may have and its record does not show."""
    digest: int = 0
    """Keyed hash of the raw record, by which a duplicate is recognized; signed, 64 bits."""


@dataclass(frozen=True, slots=True)
class EventCost:
    """Exact cost of one event and the price it was computed with.

    `price_version` identifies the price and is empty where none was needed; `terms` is the price as JSON text.
    """

    pico_usd: int
    """Integer trillionths of a US dollar."""
    price_version: str
    partial: bool = False
    """Mark of a lower bound."""
    terms: str = "{}"


class CostSource(Protocol):
    """Source of the cost of events. `cost` is asked in a thread of the store and reads no database."""

    async def refresh(self) -> None:
        """Take over prices that were changed; called before a batch of events."""

    def cost(self, event: UsageEvent) -> EventCost | None:
        """Return the cost of an event; None where no price is known, which is not zero."""
