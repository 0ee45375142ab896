from dataclasses import replace
from functools import partial

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extension.store.database.database import Database
from extension.store.pool import accounts
from extension.store.pool.recognition import Identity, identity
from extension.store.records import AccountFacts
from tests.extension.store.rows import BOTH_DATABASES, FACTS, NOW, add_pool

moving = st.builds(
    lambda fingerprint, index, base: replace(
        FACTS, fingerprint=fingerprint, auth_index=index, base_url=base, gateway_id=f"id-{index}"
    ),
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from(["1", "2"]),
    st.sampled_from(["http://x", "http://y"]),
)


@BOTH_DATABASES
async def test_an_account_keeps_its_number_when_its_index_moves(database: Database) -> None:
    pool = await database.write(add_pool)
    first = await database.write(lambda transaction: accounts.remember(transaction, pool, [FACTS], NOW))
    moved = replace(FACTS, auth_index="fedcba9876543210", gateway_id="other", label="new")
    later = await database.write(lambda transaction: accounts.remember(transaction, pool, [moved], NOW + 5))
    before, after = first[identity(FACTS)], later[identity(FACTS)]
    assert after.id == before.id
    assert after.facts == moved
    assert after.first_seen_at == NOW


async def test_the_same_fingerprint_in_another_pool_or_source_is_another_account(database: Database) -> None:
    first = await database.write(add_pool)
    two = await database.write(lambda transaction: add_pool(transaction, "other"))
    file = replace(FACTS, source="oauth")
    records = await database.write(lambda transaction: accounts.remember(transaction, first, [FACTS, file], NOW))
    there = await database.write(lambda transaction: accounts.remember(transaction, two, [FACTS], NOW))
    numbers = {record.id for record in (*records.values(), *there.values())}
    assert len(numbers) == 3


async def test_an_account_that_left_the_pool_is_still_remembered(database: Database) -> None:
    pool = await database.write(add_pool)
    await database.write(lambda transaction: accounts.remember(transaction, pool, [FACTS], NOW))
    known = await database.write(lambda transaction: accounts.remember(transaction, pool, [], NOW))
    assert [record.facts for record in known.values()] == [FACTS]


@given(readings=st.lists(st.lists(moving, max_size=4, unique_by=identity), max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
async def test_numbers_never_change_and_the_last_reading_counts(
    database: Database, readings: list[list[AccountFacts]]
) -> None:
    pool = await database.write(lambda transaction: add_pool(transaction, f"pool-{id(readings)}-{len(readings)}"))
    numbers: dict[Identity, int] = {}
    for reading in readings:
        known = await database.write(partial(accounts.remember, pool_id=pool, entries=reading, now=NOW))
        for facts in reading:
            record = known[identity(facts)]
            assert record.facts == facts
            assert numbers.setdefault(identity(facts), record.id) == record.id
