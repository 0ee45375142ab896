"""A lease has one owner at a time; an owner of the past changes nothing."""

import asyncio

import pytest

from adapter.clock import FakeClock, SystemClock
from extension.engine.dispatch.tenure import Tenure, Terms
from extension.store import events, installation, leases
from extension.store.database.database import Database, Transaction
from extension.store.errors import InstallationKeyForeign, LeaseExpired
from extension.store.integrity import recovery
from extension.store.records import EventKind
from tests.extension.store.rows import BOTH_DATABASES, NOW

LONG = 3_600_000
GATEWAY = 17
TERMS = Terms()


@BOTH_DATABASES
async def test_a_lease_has_one_owner_until_its_term_ends(database: Database) -> None:
    def look(transaction: Transaction) -> None:
        assert leases.holder(transaction, "engine") is None
        assert leases.claim(transaction, "engine", "a", "http://a", LONG) == 1
        assert leases.claim(transaction, "engine", "b", "http://b", LONG) is None
        lease = leases.holder(transaction, "engine")
        assert lease is not None
        assert (lease.owner, lease.address) == ("a", "http://a")
        leases.extend(transaction, "engine", 1, 0)
        assert leases.claim(transaction, "engine", "b", "http://b", LONG) == 2
        with pytest.raises(LeaseExpired):
            leases.extend(transaction, "engine", 1, LONG)

    await database.write(look)


@BOTH_DATABASES
async def test_an_owner_of_the_past_writes_nothing(database: Database) -> None:
    first, second = (Tenure(database, FakeClock(), GATEWAY, TERMS, name) for name in ("first", "second"))
    assert await first.claim()
    assert not await second.claim()
    late = database.fenced(first.require)
    await late.write(add_event)
    await database.write(lambda transaction: leases.extend(transaction, "gateway:17", 1, 0))
    assert await second.claim()

    with pytest.raises(LeaseExpired, match="nothing was changed"):
        await late.write(add_event)

    assert await count(database) == 1
    await database.fenced(second.require).write(add_event)
    assert await count(database) == 2
    await first.release()


async def test_a_lease_that_is_given_back_is_free_at_once(database: Database) -> None:
    first, second = (Tenure(database, SystemClock(), GATEWAY, TERMS, name) for name in ("first", "second"))
    assert await first.claim()
    await first.release()
    assert await second.claim()


async def test_leases_of_two_gateways_have_owners_of_their_own(database: Database) -> None:
    one, other = (Tenure(database, SystemClock(), gateway, TERMS) for gateway in (GATEWAY, GATEWAY + 1))
    assert await one.claim()
    assert await other.claim()
    assert not await Tenure(database, SystemClock(), GATEWAY, TERMS).claim()


async def test_an_owner_is_certain_only_within_a_term_of_its_last_renewal(database: Database) -> None:
    clock = FakeClock()
    owner = Tenure(database, clock, GATEWAY, TERMS, "first")
    assert not owner.is_certain
    assert await owner.claim()
    keeping = asyncio.create_task(owner.keep())
    for _ in range(10):
        assert owner.is_certain
        await clock.sleeping()
        await clock.advance(TERMS.beat)
        await clock.sleeping()
    keeping.cancel()

    await clock.advance(TERMS.term)

    assert not owner.is_certain
    assert await owner.claim()
    assert owner.is_certain
    await owner.release()
    assert not owner.is_certain


@BOTH_DATABASES
async def test_a_database_is_opened_with_the_key_it_was_made_with_alone(database: Database) -> None:
    await database.write(lambda transaction: installation.require_key(transaction, b"a" * 32, NOW))
    await database.write(lambda transaction: installation.require_key(transaction, b"a" * 32, NOW))
    with pytest.raises(InstallationKeyForeign, match=r"Copy secret\.key") as refused:
        await database.write(lambda transaction: installation.require_key(transaction, b"b" * 32, NOW))
    assert "poolkeeper.db" not in recovery(refused.value), "there is no such file with a shared database"


def add_event(transaction: Transaction) -> None:
    events.append(transaction, NOW, EventKind.POOL, None, {})


async def count(database: Database) -> int:
    return len(await database.read(lambda transaction: events.after(transaction, 0, None, 10)))
