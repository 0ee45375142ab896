"""Shapes of usage as answered."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final, Self

from extension.api.payloads.payload import Payload
from extension.store.usage.records import Figures, GapRecord, StoredEvent
from extension.usage.calendar import Period
from extension.usage.event import BUCKETS
from extension.usage.histogram import quantile

_PICO: Final = Decimal(10) ** -12
_QUANTILES: Final = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}


def usd(pico: int | None) -> str | None:
    """Return an exact amount in US dollars as decimal text; None stays unknown."""
    return None if pico is None else exact_usd(pico)


def exact_usd(pico: int) -> str:
    """Return an exact amount in US dollars as decimal text."""
    return format(pico * _PICO, "f")


class TokensView(Payload):
    """Tokens by bucket. The buckets exclude each other; `total` is what the gateway reported."""

    input: int
    cache_read: int
    cache_write_5m: int
    cache_write_1h: int
    output: int
    reasoning: int
    audio_in: int
    audio_out: int
    image_in: int
    image_out: int
    total: int


class LatencyView(Payload):
    """Latency in milliseconds, at most 5 % off; null without requests."""

    p50: float | None
    p90: float | None
    p95: float | None
    p99: float | None


class FiguresView(Payload):
    """Sums over requests.

    `usd` is exact decimal text, null where no request has a known cost. It is a lower bound where it is `partial`:
    `unpriced` requests have no known cost, `incomplete` ones have an unknown part.
    The requests of a gap with `missing` ones are no part of any figure, and make it `partial`, too.
    `unclassified` and `inconsistent` count requests whose tokens are not fully told apart.
    """

    requests: int
    failed: int
    unclassified: int
    inconsistent: int
    tokens: TokensView
    usd: str | None
    partial: bool
    unpriced: int
    incomplete: int
    latency: LatencyView | None

    @classmethod
    def of(cls, figures: Figures, *, latency: bool = True, missing: bool = False) -> Self:
        """Show sums; those of a series have no latencies. Where records are `missing`, a cost is a lower bound."""
        counts: dict[str, Any] = {name: figures.tokens[name] for name in BUCKETS}
        quantiles = {name: latency_of(figures, share) for name, share in _QUANTILES.items()}
        return cls(
            requests=figures.requests,
            failed=figures.failed,
            unclassified=figures.unclassified,
            inconsistent=figures.inconsistent,
            tokens=TokensView(**counts, total=figures.total),
            usd=usd(figures.pico_usd) if figures.priced else None,
            partial=figures.partial or (missing and figures.priced > 0),
            unpriced=figures.requests - figures.priced,
            incomplete=figures.incomplete,
            latency=LatencyView(**quantiles) if latency else None,
        )


def lacks_records(gaps: Iterable[GapRecord], period: Period) -> bool:
    """Return whether the gateway counted requests of a period that it gave no record of."""
    return any(gap.missing and gap.start_at < period.end and gap.end_at > period.start for gap in gaps)


class GapView(Payload):
    """Time in which records may be missing; `missing` only where the gateway counted."""

    id: int
    start: int
    end: int
    kind: str
    missing: int | None

    @classmethod
    def of(cls, record: GapRecord) -> Self:
        """Show a stored gap."""
        return cls(id=record.id, start=record.start_at, end=record.end_at, kind=record.kind, missing=record.missing)


class UsageView(Payload):
    """One request at an upstream.

    `client` is a fingerprint of the client key. `usd` is null where unknown, and a lower bound where it is `partial`;
    `priceVersion` names the price that it was computed with. `hidden` is a number whose bits are the parts that its
    record does not show, for imports.
    """

    seq: int
    at: int
    account: str
    client: str
    model: str
    alias: str
    provider: str
    endpoint: str
    tier: str
    failure: str
    status: int
    latency_ms: int
    ttft_ms: int
    request_id: str
    tokens: TokensView
    quality: str
    usd: str | None
    partial: bool
    price_version: str
    searches: int
    hidden: int
    digest: str

    @classmethod
    def of(cls, record: StoredEvent) -> Self:
        """Show a stored event."""
        event = record.event
        return cls.showing(
            event,
            seq=record.seq,
            request_id=f"{event.request_id:x}",
            tokens=TokensView.showing(event.tokens),
            quality=event.tokens.quality,
            usd=usd(record.pico_usd),
            partial=record.partial,
            price_version=record.price_version,
            hidden=event.hidden.value,
            digest=str(event.digest),
        )


def latency_of(figures: Figures, share: float) -> float | None:
    """Return the latency in milliseconds that a share of requests keeps to; None without requests."""
    latency = quantile(figures.latencies, share)
    return None if latency is None else round(latency, 1)
