"""What was read of past days is remembered, and never shown once one of the days has changed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import Result, event
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData

from extension.store.database.database import Database, Transaction
from extension.store.usage.charts import failures
from extension.store.usage.charts.series import part_sums
from extension.store.usage.costs import reratings
from extension.store.usage.daily import day_sums
from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.store.usage.daily.past_sums import PastSums
from extension.store.usage.dimensions import NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.ranking import ranking
from extension.store.usage.records import UsageFilter
from extension.store.usage.summary import sums
from extension.usage.calendar import Period, SeriesStep, periods, zone_of
from tests.extension.store.rows import add_pool
from tests.extension.store.usage.samples import DAY, START, store_all, sum_up
from tests.extension.store.usage.samples import events as drawn

FIRST = START // DAY
WHOLE = Period(START - DAY, START + 8 * DAY + 5)
PAIRS = (DimensionPair(NameKind.MODEL, NameKind.ACCOUNT), DimensionPair(NameKind.MODEL, NameKind.FAILURE))
DAYS_IN_CHINA = tuple(periods(WHOLE, SeriesStep.DAY, zone_of("+08:00")))
ZONES = ("UTC", "+08:00", "-03:30", "America/New_York")


def answers(transaction: Transaction, past: PastSums) -> object:
    """Everything that is read of past days, in several zones."""
    found: list[object] = []
    for wanted in (UsageFilter(), UsageFilter(account="account-7"), UsageFilter(model="model-2", failed=False)):
        for by in (NameKind.TOTAL, NameKind.ACCOUNT):
            one = Query(1, NamedFilter(transaction, 1, replace(wanted, model="model-1", failed=None), past), by)
            found += [sums(one, WHOLE), *part_sums(transaction, one, DAYS_IN_CHINA)]
            found += [ranking(transaction, one, WHOLE, "failed")] if by is NameKind.ACCOUNT else []
            query = Query(1, NamedFilter(transaction, 1, wanted, past), by)
            found += [sums(query, WHOLE)]
            found += [ranking(transaction, query, WHOLE)] if by is NameKind.ACCOUNT else []
            found += [failures.reasons(transaction, query.filter, WHOLE, range(1, 99), 9)]
            for zone in ZONES:
                days = tuple(periods(WHOLE, SeriesStep.DAY, zone_of(zone)))
                found += part_sums(transaction, query, days)
            found += part_sums(transaction, replace(query, buckets=False, latencies=False), days)
    return found


def sum_up_before(transaction: Transaction, before: int) -> None:
    for day in day_sums.unsummed(transaction, 1, before):
        sum_up(transaction, 1, day, PAIRS)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
async def test_a_memory_answers_what_an_empty_one_does_whatever_is_written(database: Database, seed: int) -> None:
    chance, past = Random(seed), PastSums()
    (template,) = drawn(1)

    def late(transaction: Transaction) -> None:
        at = START + chance.randrange(-4 * DAY, 8 * DAY)
        store_all(transaction, 1, [replace(template, at=at, digest=chance.getrandbits(60))])

    def summed(transaction: Transaction) -> None:
        sum_up_before(transaction, FIRST + chance.randrange(2, 9))

    def summed_again(transaction: Transaction) -> None:
        sum_up(transaction, 1, FIRST + chance.randrange(6), PAIRS)

    steps: Sequence[Callable[[Transaction], None]] = (late, summed, summed_again)

    def look(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), drawn(200))
        for _ in range(7):
            chance.choice(steps)(transaction)
            assert answers(transaction, past) == answers(transaction, PastSums())

    await database.write(look)


async def test_a_second_look_reads_no_sums_of_past_days(database: Database) -> None:
    sent: list[str] = []
    past = PastSums()

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    def look(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), drawn(200))
        sum_up_before(transaction, FIRST + 9)
        before = answers(transaction, past)
        event.listen(transaction, "before_cursor_execute", note)
        assert answers(transaction, past) == before
        event.remove(transaction, "before_cursor_execute", note)

    await database.write(look)
    assert sent
    assert not [statement for statement in sent if "usage_days" in statement or "usage_day_" in statement]


async def test_a_rating_of_past_days_is_shown_at_once(database: Database) -> None:
    past = PastSums()

    def look(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), drawn(200))
        sum_up_before(transaction, FIRST + 9)
        answers(transaction, past)
        reratings._drop_empty(transaction, 1, {START // 3_600_000})
        transaction.exec_driver_sql("UPDATE usage_costs SET pico_usd = pico_usd + 1")
        day_sums.sum_day(transaction, 1, FIRST + 2)
        assert answers(transaction, past) == answers(transaction, PastSums())

    await database.write(look)


def test_the_rows_used_last_are_kept_up_to_a_number() -> None:
    past = PastSums(most_rows=7)
    read: list[str] = []

    def rows(question: str, stamps: tuple[int, ...] | None = (1,)) -> int:
        def look() -> list[Any]:
            read.append(question)
            found: Result[Any] = IteratorResult(SimpleResultMetaData(["number"]), iter([(1,), (2,)]))
            return list(found.all())

        return len(past.rows(question, stamps, look))

    assert [rows(each) for each in ("one", "two", "one", "three", "one", "two")] == [2] * 6
    assert read == ["one", "two", "three", "two"]
    rows("one", (2,))
    rows("one", None)
    assert read[4:] == ["one", "one"]


def test_questions_without_rows_do_not_pile_up() -> None:
    past = PastSums(most_rows=3)
    read: list[int] = []

    def ask(question: int) -> None:
        def nothing() -> list[Any]:
            read.append(question)
            return []

        past.rows(question, (1,), nothing)

    for question in (1, 2, 3, 4, 4, 1):
        ask(question)

    assert read == [1, 2, 3, 4, 1]
