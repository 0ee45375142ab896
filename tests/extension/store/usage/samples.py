"""Events drawn by chance, with their costs."""

from random import Random
from typing import Any

from extension.store.database.database import Transaction
from extension.store.usage.ingest import Stored, store
from extension.usage.event import BUCKETS, EventCost, TokenCounts, TokenQuality, UsageEvent

START = 1_774_600_000_000
"""In the week before clocks change in Europe."""
DAY = 24 * 3_600_000


def events(count: int, days: float = 7, seed: int = 1) -> list[UsageEvent]:
    """Distinct events of some days."""
    chance = Random(seed)
    return [_event(chance, days) for _ in range(count)]


def cost_of(event: UsageEvent) -> EventCost | None:
    """A known cost of every model but one."""
    if event.model == "model-0":
        return None
    partial = event.tokens.quality is TokenQuality.UNCLASSIFIED
    return EventCost(event.tokens.total * 1_000_003, f"version-{event.tokens.total % 2}", partial)


def store_all(transaction: Transaction, pool_id: int, pairs: list[UsageEvent]) -> Stored:
    return store(transaction, pool_id, [(item, cost_of(item)) for item in pairs], {})


def _event(chance: Random, days: float) -> UsageEvent:
    failed = chance.random() < 0.1
    drawn: dict[str, Any] = {name: chance.randrange(1000) for name in BUCKETS[:6]}
    tokens = TokenCounts(**drawn)
    if chance.random() < 0.05:
        tokens = TokenCounts(input=5, total=9, quality=TokenQuality.UNCLASSIFIED)
    return UsageEvent(
        at=START + chance.randrange(round(days * DAY)),
        account=f"account-{chance.randrange(20)}",
        client=f"{chance.randrange(5):016x}",
        model=f"model-{chance.randrange(4)}",
        alias="asked",
        provider=f"provider-{chance.randrange(3)}",
        endpoint="POST /v1/chat/completions",
        tier="auto",
        failure=f"{chance.choice([401, 429, 500])}" if failed else "",
        status=500 if failed else 200,
        latency_ms=round(chance.lognormvariate(7, 1)),
        ttft_ms=chance.randrange(900),
        request_id=chance.getrandbits(32),
        tokens=tokens,
        digest=chance.getrandbits(64) - 2**63,
    )


EVENTS = events(600)
"""A week of events, about four an hour."""
