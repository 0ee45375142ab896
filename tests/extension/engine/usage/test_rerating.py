"""A price change rates exactly the events it concerns again, in batches that survive a crash."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy import select

from adapter.clock import FakeClock
from adapter.fake.gateway import FakeGateway
from adapter.privacy.secret import Redactor, Secret
from extension.engine.pool.listing import PoolListing
from extension.engine.prices.prices import CurrentPrices
from extension.engine.usage import rerating
from extension.engine.usage.rerating import Rerating
from extension.prices.price import STANDARD
from extension.store import prices
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.prices import NewPrice
from extension.store.schema.usage_tables import USAGE_HOURS
from extension.store.usage import costs, events
from extension.store.usage.filtering import NamedFilter, Query
from extension.store.usage.ingest import store
from extension.store.usage.names import NameKind
from extension.store.usage.records import Figures, StoredEvent, UsageFilter
from extension.store.usage.sums import sums
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.event import UsageEvent
from tests.extension.store.usage.samples import DAY, START
from tests.extension.store.usage.samples import events as drawn

EVER = Period(0, 2**45)
# Whole hours, so that sums come from rollups alone.
HOURS = Period(START // HOUR_MS * HOUR_MS, (START + 8 * DAY) // HOUR_MS * HOUR_MS)


class RerateStage:
    """Stored events and prices, and a re-rating that is stepped by hand."""

    def __init__(self, database: Database, listing: PoolListing, clock: FakeClock) -> None:
        self.database = database
        self.prices = CurrentPrices(database)
        self.rerating = Rerating(database, clock, listing, self.prices)

    async def price(self, model: str, dollars: str) -> None:
        rates = {"input": {"amount": dollars, "per": 1_000_000}, "output": {"amount": dollars, "per": 1_000_000}}
        new = NewPrice("", model, STANDARD, None, rates, "override", "", "anna", 0)
        await self.database.write(prices.put_price, new)

    async def add(self, usage_events: list[UsageEvent]) -> None:
        await self.prices.refresh()
        priced = [(event, self.prices.cost(event)) for event in usage_events]
        await self.database.write(store, 1, priced, {})

    async def finish(self) -> None:
        while await self.rerating.step():
            pass

    async def stored(self) -> dict[int, StoredEvent]:
        stored = await self.database.read(lambda transaction: events.after(transaction, 1, 0, UsageFilter(), 10_000)[0])
        return {row.seq: row for row in stored}

    async def by_rollups(self) -> dict[NameKind, dict[int, Figures]]:
        def look(transaction: Transaction) -> dict[NameKind, dict[int, Figures]]:
            everything = NamedFilter(transaction, 1, UsageFilter())
            kinds = (NameKind.TOTAL, NameKind.MODEL, NameKind.ACCOUNT, NameKind.CLIENT, NameKind.PROVIDER)
            return {kind: sums(transaction, Query(1, everything, kind), HOURS) for kind in kinds}

        return await self.database.read(look)

    async def by_events(self) -> Figures:
        """Sum up by reading events: no rollup serves a filter of failures and successes."""

        def look(transaction: Transaction) -> Figures:
            figures = Figures()
            for failed in (True, False):
                named = NamedFilter(transaction, 1, UsageFilter(failed=failed))
                figures.add(sums(transaction, Query(1, named, NameKind.TOTAL), HOURS)[0])
            return figures

        return await self.database.read(look)


@pytest.fixture
async def stage(folder: DataFolder, request: pytest.FixtureRequest) -> AsyncIterator[RerateStage]:
    clock = FakeClock()
    shared = getattr(request, "param", "sqlite") == "postgresql"
    storage = PostgreSQLStorage(Secret(request.getfixturevalue("postgresql_address"))) if shared else None
    database = await Database.open(folder, clock, storage)
    listing = PoolListing(FakeGateway("", clock=clock), database, clock, Redactor(), "default")
    await listing.open()
    stage = RerateStage(database, listing, clock)
    await stage.price("model-1", "1")
    await stage.price("model-2", "2")
    await stage.add(drawn(700))
    yield stage
    await database.close()


async def test_a_preview_looks_at_no_more_requests_than_it_may(
    stage: RerateStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.price("model-2", "5")
    monkeypatch.setattr(rerating, "_BATCH", 100)
    whole = await stage.rerating.preview(EVER)
    monkeypatch.setattr(rerating, "_MOST_PREVIEWED", 400)
    part = await stage.rerating.preview(EVER)
    assert part.until is not None
    rest = await stage.rerating.preview(Period(part.until + 1, part.until + 100 * DAY))
    monkeypatch.setattr(rerating, "_MOST_PREVIEWED", 700)

    assert (part.examined, whole.examined, whole.until) == (400, 700, None)
    assert replace(part, until=None) + replace(rest, until=None) == whole
    assert await stage.rerating.preview(EVER) == whole


@pytest.mark.parametrize("stage", ["sqlite", "postgresql"], indirect=True)
async def test_a_price_change_changes_exactly_the_events_of_its_model_and_their_sums(stage: RerateStage) -> None:
    before = await stage.stored()
    assert {row.event.model for row in before.values() if row.pico_usd is not None} == {"model-1", "model-2"}
    await stage.price("model-2", "5")
    await stage.price("model-3", "3")
    concerned = {seq for seq, row in before.items() if row.event.model in {"model-2", "model-3"}}

    shown = await stage.rerating.preview(EVER)
    assert await stage.stored() == before
    await stage.rerating.start(EVER, "anna")
    await stage.finish()

    after = await stage.stored()
    priced = {seq for seq in concerned if after[seq].pico_usd is not None or before[seq].pico_usd is not None}
    assert {seq for seq, row in after.items() if row != before[seq]} == priced
    job = await stage.rerating.state()
    assert job is not None
    assert (job.effect, job.finished_at) == (shown, stage.rerating._clock.now_ms())
    assert (shown.examined, shown.changed) == (700, len(priced))
    for seq in priced & {seq for seq, row in before.items() if row.event.model == "model-2"}:
        assert (after[seq].pico_usd or 0) * 2 == (before[seq].pico_usd or 0) * 5
    await _sums_agree(stage)


async def _sums_agree(stage: RerateStage) -> None:
    truth = await stage.by_events()
    for kind, found in (await stage.by_rollups()).items():
        whole = Figures()
        for figures in found.values():
            whole.add(figures)
        assert whole == truth, kind


async def test_a_removed_price_leaves_costs_unknown_in_every_sum(stage: RerateStage) -> None:
    await stage.database.write(prices.remove_price, 1)
    await stage.database.write(prices.remove_price, 2)
    await stage.rerating.start(EVER, "anna")
    await stage.finish()

    assert {row.pico_usd for row in (await stage.stored()).values()} == {None}
    costly = select(USAGE_HOURS).where(USAGE_HOURS.c.priced != 0)
    assert await stage.database.read(lambda transaction: transaction.execute(costly).first()) is None


async def test_a_crash_between_batches_loses_none_and_doubles_none(
    stage: RerateStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerating, "_BATCH", 90)
    await stage.price("model-1", "7")
    shown = await stage.rerating.preview(EVER)
    await stage.rerating.start(EVER, "anna")
    for _ in range(3):
        assert await stage.rerating.step()
    # A new process: nothing is known but the database.
    resumed = RerateStage(stage.database, stage.rerating._listing, FakeClock())
    await resumed.finish()

    job = await resumed.rerating.state()
    assert job is not None
    assert (job.effect, job.finished_at is None) == (shown, False)
    assert (await resumed.rerating.preview(EVER)).changed == 0
    await _sums_agree(resumed)


async def test_a_batch_that_fails_changes_nothing(stage: RerateStage, monkeypatch: pytest.MonkeyPatch) -> None:
    await stage.price("model-1", "7")
    await stage.rerating.start(EVER, "anna")
    before, job = await stage.stored(), await stage.rerating.state()

    def broken(*_: object) -> None:
        raise RuntimeError("killed before the commit")

    with monkeypatch.context() as patched:
        patched.setattr(costs, "put", broken)
        with pytest.raises(RuntimeError):
            await stage.rerating.step()
    assert (await stage.stored(), await stage.rerating.state()) == (before, job)
    await stage.finish()
    await _sums_agree(stage)


async def test_only_the_chosen_period_is_rated_again(stage: RerateStage) -> None:
    await stage.price("model-1", "7")
    before = await stage.stored()
    await stage.rerating.start(Period(START, START + 2 * DAY), "anna")
    await stage.finish()

    changed = [row for seq, row in (await stage.stored()).items() if row != before[seq]]
    assert changed
    assert {row.event.model for row in changed} == {"model-1"}
    assert max(row.event.at for row in changed) < START + 2 * DAY
    await _sums_agree(stage)


async def test_new_events_take_a_changed_price_at_once(stage: RerateStage) -> None:
    known = set(await stage.stored())
    await stage.price("model-1", "7")
    (template, *_) = [event for event in drawn(50, seed=9) if event.model == "model-1" and not event.failure]
    await stage.add([replace(template, digest=77)])

    (new,) = [row for seq, row in (await stage.stored()).items() if seq not in known]
    counted = template.tokens.classified
    assert new.pico_usd == counted * 7_000_000
