"""Accounts: the stored facts of each credential, under a number that outlives its gateway ids."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import TypeAlias

from sqlalchemy import RowMapping, bindparam, insert, select, update

from extension.store.database.database import Transaction
from extension.store.records import AccountFacts, AccountRecord
from extension.store.schema.tables import ACCOUNTS

Identity: TypeAlias = tuple[str, str]
"""(source, fingerprint): the identity of an account of a pool."""

_FACTS = tuple(field.name for field in fields(AccountFacts))


def all_of(transaction: Transaction, pool_id: int) -> Mapping[Identity, AccountRecord]:
    """Return every account the pool ever had, by identity."""
    rows = transaction.execute(select(ACCOUNTS).where(ACCOUNTS.c.pool_id == pool_id))
    records = (_record(row) for row in rows.mappings())
    return {identity(record.facts): record for record in records}


def remember(
    transaction: Transaction, pool_id: int, seen: Sequence[AccountFacts], now: int
) -> Mapping[Identity, AccountRecord]:
    """Add new accounts and refresh changed facts of known ones; return all of the pool."""
    known = all_of(transaction, pool_id)
    new = {identity(facts): facts for facts in seen if identity(facts) not in known}
    if new:
        rows = [{"pool_id": pool_id, "first_seen_at": now, **asdict(facts)} for facts in new.values()]
        transaction.execute(insert(ACCOUNTS), rows)
    moved = {identity(facts): facts for facts in seen if identity(facts) in known}
    for which, facts in moved.items():
        record = known[which]
        if record.facts != facts:
            transaction.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == record.id).values(**asdict(facts)))
    return all_of(transaction, pool_id)


def set_flags(transaction: Transaction, account_ids: Sequence[int], flags: Mapping[str, bool]) -> None:
    """Set the flags `never_probe` and `managed` of accounts."""
    transaction.execute(
        update(ACCOUNTS).where(ACCOUNTS.c.id == bindparam("which")).values(**flags),
        [{"which": number} for number in account_ids],
    )


def identity(facts: AccountFacts) -> Identity:
    """Return the identity of an account."""
    return facts.source, facts.fingerprint


def _record(values: RowMapping) -> AccountRecord:
    return AccountRecord(
        id=values["id"],
        pool_id=values["pool_id"],
        facts=AccountFacts(**{name: values[name] for name in _FACTS}),
        first_seen_at=values["first_seen_at"],
        never_probe=values["never_probe"],
        managed=values["managed"],
    )
