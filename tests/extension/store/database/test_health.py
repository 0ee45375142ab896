"""Health of a database: refusals count until a write succeeds."""

import asyncio
import traceback

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from extension.store.database.health import Health
from extension.store.errors import DatabaseUnavailable

GONE = OperationalError("select 1", {}, Exception("gone"))
TWICE = IntegrityError("insert", {}, Exception("there is one"))


@pytest.fixture
async def health() -> Health:
    return Health(asyncio.get_running_loop())


async def test_a_refusal_counts_until_a_write_succeeds_and_is_told_once(health: Health) -> None:
    faults: list[bool] = []
    health.on_change(lambda: faults.append(health.fault is not None))
    health.require()
    for _ in range(2):
        health.note(GONE, DatabaseUnavailable("It is gone."))
    await asyncio.sleep(0)
    with pytest.raises(DatabaseUnavailable, match="It is gone"):
        health.require()

    health.change(None)
    await asyncio.sleep(0)

    health.require()
    assert faults == [True, False]


async def test_an_error_of_a_statement_alone_says_nothing_about_the_database(health: Health) -> None:
    health.note(TWICE, DatabaseUnavailable("It is there."))

    health.require()


async def test_a_refusal_stays_as_small_as_it_was_however_often_it_is_asked_for(health: Health) -> None:
    health.note(GONE, DatabaseUnavailable("It is gone."))
    lengths = []
    for _ in range(3):
        with pytest.raises(DatabaseUnavailable) as raised:
            health.require()
        lengths.append(len(traceback.extract_tb(raised.value.__traceback__)))

    assert len(set(lengths)) == 1


async def test_a_small_write_proves_no_room_where_none_was(health: Health) -> None:
    health.lacks_room = True
    health.change(DatabaseUnavailable("No space left on device."))
    health.note_write()
    assert health.fault is not None

    health.lacks_room = False
    health.note_write()

    assert health.fault is None
