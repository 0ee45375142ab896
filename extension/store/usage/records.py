"""Records of usage as read from the store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from extension.usage.event import BUCKETS, UsageEvent

_Name = TypeVar("_Name", str, int)
_COUNTS = ("requests", "failed", "unclassified", "inconsistent", "total", "pico_usd", "priced", "incomplete")


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A stored event: `seq` grows in the order of storing. A `partial` cost is a lower bound."""

    seq: int
    event: UsageEvent
    pico_usd: int | None
    price_version: str
    partial: bool


@dataclass(frozen=True, slots=True)
class UsageFilter:
    """Events wanted; None is any. `failed` chooses failures or successes."""

    model: str | None = None
    account: str | None = None
    client: str | None = None
    provider: str | None = None
    failure: str | None = None
    failed: bool | None = None


@dataclass(slots=True)
class Figures:
    """Sums over requests. `priced` requests have a cost; the rest is unknown, which is not zero.

    The cost of `incomplete` ones among the priced is a lower bound.
    """

    requests: int = 0
    failed: int = 0
    unclassified: int = 0
    inconsistent: int = 0
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BUCKETS, 0))
    total: int = 0
    pico_usd: int = 0
    priced: int = 0
    incomplete: int = 0
    latencies: dict[int, int] = field(default_factory=dict)
    """Requests by bucket of latency."""

    @property
    def partial(self) -> bool:
        """Return whether the cost is a lower bound."""
        return bool(self.priced and (self.incomplete or self.priced < self.requests))

    def add(self, other: "Figures") -> None:
        """Add the sums of other requests."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        _add(self.tokens, other.tokens)
        _add(self.latencies, other.latencies)


def _add(sums: dict[_Name, int], other: Mapping[_Name, int]) -> None:
    for name, count in other.items():
        sums[name] = sums.get(name, 0) + count


@dataclass(frozen=True, slots=True)
class GapRecord:
    """Time in which records may be missing; `missing` is how many the gateway counted, None where it does not say."""

    id: int
    start_at: int
    end_at: int
    kind: str
    missing: int | None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A record that is no event, without its secrets."""

    id: int
    at: int
    reason: str
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class CollectorState:
    """The collector of a pool: its lease, and up to when records are complete."""

    owner: str
    epoch: int
    expires_at: int
    covered_until: int
    clean: bool
    source: str
    pruned_before: int
