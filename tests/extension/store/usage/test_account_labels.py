from dataclasses import replace
from functools import partial

from extension.store.database.database import Database
from extension.store.pool import accounts
from extension.store.usage import account_labels
from tests.extension.store.rows import FACTS, NOW, add_pool


async def test_accounts_of_one_name_are_told_apart_by_their_place(database: Database) -> None:
    pool = await database.write(add_pool)
    twins = [
        replace(FACTS, fingerprint=f"f{number}", auth_index=f"{number}", place=f"claude-api-key[{number}]")
        for number in range(2)
    ]
    other = replace(FACTS, fingerprint="g", auth_index="9", display_name="relay", place="gemini-api-key[0]")
    await database.write(lambda transaction: accounts.remember(transaction, pool, [*twins, other], NOW))

    labels = await database.read(lambda transaction: account_labels.labels(transaction, pool))

    name = FACTS.display_name
    assert labels == {"0": f"{name} · claude-api-key[0]", "1": f"{name} · claude-api-key[1]", "9": "relay"}


async def test_a_disabled_provider_without_an_index_keeps_its_name_in_usage(database: Database) -> None:
    pool = await database.write(add_pool)
    disabled = replace(FACTS, auth_index="")
    unknown = replace(FACTS, fingerprint="h", auth_index="", display_name="never enabled")
    for seen in ([FACTS], [disabled, unknown], [disabled, unknown]):
        await database.write(partial(accounts.remember, pool_id=pool, seen=seen, now=NOW))

    labels = await database.read(lambda transaction: account_labels.labels(transaction, pool))

    assert labels == {FACTS.auth_index: FACTS.display_name}
