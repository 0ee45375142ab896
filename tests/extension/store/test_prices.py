from dataclasses import replace
from datetime import date
from functools import partial

from extension.store import prices
from extension.store.database.database import Database
from extension.store.prices import AliasRecord, NewPrice
from tests.extension.store.rows import BOTH_DATABASES

NOW = 1_700_000_000_000
PRICE = NewPrice(
    provider="openai",
    model="gpt-5",
    service_tier="standard",
    valid_from=date(2026, 11, 1),
    rates={"input": {"amount": "1.25", "per": 1_000_000}},
    source="override",
    note="contract",
    set_by="page",
    set_at=NOW,
)
ANNA = AliasRecord("f" * 16, "anna", "page", NOW)


async def test_a_price_is_read_as_it_was_stored(database: Database) -> None:
    stored = await database.write(partial(prices.put_price, price=PRICE))
    assert await database.read(prices.all_prices) == (stored,)
    assert (stored.rates, stored.valid_from, stored.note) == (PRICE.rates, PRICE.valid_from, "contract")


@BOTH_DATABASES
async def test_a_price_of_the_same_date_is_replaced_and_another_date_is_another_price(database: Database) -> None:
    await database.write(partial(prices.put_price, price=PRICE))
    await database.write(partial(prices.put_price, price=replace(PRICE, note="corrected")))
    for _ in range(2):
        await database.write(partial(prices.put_price, price=replace(PRICE, valid_from=None, note="ever")))
    assert [price.note for price in await database.read(prices.all_prices)] == ["corrected", "ever"]


async def test_a_removed_price_is_gone_and_its_number_is_not_used_again(database: Database) -> None:
    first = await database.write(partial(prices.put_price, price=PRICE))
    assert await database.write(partial(prices.remove_price, price_id=first.id))
    assert not await database.write(partial(prices.remove_price, price_id=first.id))
    assert (await database.write(partial(prices.put_price, price=PRICE))).id > first.id


@BOTH_DATABASES
async def test_an_alias_names_one_key(database: Database) -> None:
    assert await database.write(partial(prices.put_alias, record=ANNA))
    assert not await database.write(partial(prices.put_alias, record=replace(ANNA, fingerprint="e" * 16)))
    assert await database.write(partial(prices.put_alias, record=replace(ANNA, alias="anna's laptop")))
    assert [record.alias for record in await database.read(prices.all_aliases)] == ["anna's laptop"]
    assert await database.write(partial(prices.remove_alias, fingerprint=ANNA.fingerprint))
    assert not await database.write(partial(prices.remove_alias, fingerprint=ANNA.fingerprint))
