"""An import that is repeated counts no event twice, also after the retention has removed events."""

from functools import partial

from adapter.clock import FakeClock
from adapter.fake.gateway import FakeGateway
from adapter.privacy.secret import Redactor
from extension.engine.usage.analysis import SummaryRequest
from extension.engine.usage.service import UsageLimits, UsageService
from extension.engine.usage.usage_writer import StoredCount
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.usage import collection
from extension.store.usage.names import NameKind
from extension.store.usage.records import Figures, UsageFilter
from extension.usage.calendar import Period, SeriesStep, zone_of
from tests.extension.store.usage.samples import DAY, START, events

NOW = (START // DAY + 9) * DAY
KEPT_FROM = NOW - 5 * DAY
ALL = events(300)
OLD = sum(event.at < KEPT_FROM for event in ALL)


async def totals(service: UsageService) -> Figures:
    period = Period(START // DAY * DAY, NOW)
    request = SummaryRequest(period, zone_of("UTC"), NameKind.TOTAL, SeriesStep.NONE, UsageFilter(), 5)
    return (await service.analysis.summary(request)).totals


async def test_events_from_before_the_oldest_that_is_kept_are_left_out(folder: DataFolder) -> None:
    database, clock = await Database.open(folder), FakeClock(NOW)
    service = UsageService(
        FakeGateway("", clock=clock),
        database,
        clock,
        Redactor(),
        installation_key=b"k" * 32,
        limits=UsageLimits(days=5),
    )
    await service.open(collect=False)
    await database.write(partial(collection.claim, pool_id=1, owner="one", now=NOW, term_ms=1, alone=True))
    assert await service.analysis.add(ALL) == StoredCount(len(ALL), 0, 0)
    before = await totals(service)
    await service.prune()

    again = await service.analysis.add(ALL)

    assert again.stored == 0
    assert (again.duplicates, again.too_old) == (len(ALL) - OLD, OLD)
    assert OLD > 100
    assert await totals(service) == before
    await service.close()
    await database.close()
