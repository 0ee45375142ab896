"""The same records of a stock gateway (7.2.140) by subscription, by the queue, and from our own process."""

import json
from pathlib import Path

from adapter.port import Capability
from adapter.rules.usage_record import usage_records
from extension.store.data_folder import DataFolder
from extension.store.database.database import Transaction
from extension.store.usage import events
from extension.store.usage.records import UsageFilter
from extension.usage.event import TokenCounts, UsageEvent
from extension.usage.record_form import Part
from extension.usage.record_reading import UsageFingerprints, read_record
from tests.extension.engine.usage.stage import WITHOUT_SUBSCRIPTION, closed, collecting
from tests.extension.prices.test_stock_records import RECORDS

Counted = tuple[str, TokenCounts, int, Part, str]


def counts(event: UsageEvent) -> Counted:
    return event.model, event.tokens, event.searches, event.hidden, event.tier


async def collected(folder: Path, capabilities: frozenset[Capability]) -> list[Counted]:
    with DataFolder.open(folder) as opened:
        stage, collector = await collecting(opened, capabilities)
        for record in usage_records(json.loads(json.dumps(list(RECORDS.values())))):
            stage.gateway.usage.spend(record)
        await stage.stored_count(collector, len(RECORDS))

        def look(transaction: Transaction) -> list[Counted]:
            return [counts(row.event) for row in events.after(transaction, 1, 0, UsageFilter(), 1_000)[0]]

        stored = await stage.database.read(look)
        await closed(stage, collector)
    return stored


async def test_a_record_has_the_same_counts_whichever_way_it_comes(tmp_path: Path) -> None:
    read = [read_record(record.raw, UsageFingerprints(b"k" * 32)) for record in usage_records(RECORDS.values())]
    embedded = [counts(event) for event in read if isinstance(event, UsageEvent)]

    assert await collected(tmp_path / "subscribed", frozenset(Capability)) == embedded
    assert await collected(tmp_path / "popped", WITHOUT_SUBSCRIPTION) == embedded
