"""Accounts: the stored facts of each entry of the gateway, under a number that outlives its gateway ids."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace

from sqlalchemy import RowMapping, bindparam, func, insert, select, update

from extension.store.database.database import Transaction
from extension.store.pool.recognition import Identity, identity, recognize
from extension.store.records import AccountFacts, AccountRecord
from extension.store.schema.dialects import chunks
from extension.store.schema.tables import ACCOUNTS, ACTIONS

_FACTS = tuple(field.name for field in fields(AccountFacts))


def all_of(transaction: Transaction, pool_id: int) -> Mapping[Identity, AccountRecord]:
    """Return every account the pool ever had, by identity."""
    rows = transaction.execute(select(ACCOUNTS).where(ACCOUNTS.c.pool_id == pool_id))
    records = (_record(row) for row in rows.mappings())
    return {identity(record.facts): record for record in records}


def remember(
    transaction: Transaction, pool_id: int, entries: Sequence[AccountFacts], now: int
) -> Mapping[Identity, AccountRecord]:
    """Recognize the entries of a pool, add new accounts and refresh changed facts; return all of the pool."""
    stored = all_of(transaction, pool_id)
    recognition = recognize(stored, entries)
    before = {record.id: record for record in stored.values()}
    known = {number: _with_index(facts, before[number].facts) for number, facts in recognition.known.items()}
    changed = [(number, facts) for number, facts in known.items() if before[number].facts != facts]
    # An identity may pass from one row to another, so all rows that move let go of theirs first.
    moved = [number for number, facts in changed if identity(before[number].facts) != identity(facts)]
    for number in moved:
        away = {"discriminator": f"moving-{number}"}
        transaction.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == number).values(away))
    for number, facts in changed:
        transaction.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == number).values(**asdict(facts)))
    gone = [number for number, record in before.items() if number not in known and is_marked(record.facts)]
    for chunk in chunks(gone):
        values = {"key_mark": "", "vendor_mark": ""}
        transaction.execute(update(ACCOUNTS).where(ACCOUNTS.c.id.in_(chunk)).values(values))
    if recognition.disowned:
        _disown(transaction, recognition.disowned)
    if recognition.new:
        rows = [{"pool_id": pool_id, "first_seen_at": now, **asdict(facts)} for facts in recognition.new]
        transaction.execute(insert(ACCOUNTS), rows)
    return all_of(transaction, pool_id)


def is_marked(facts: AccountFacts) -> bool:
    """Return whether an account can be recognized at another gateway."""
    return bool(facts.key_mark or facts.vendor_mark)


def set_flags(transaction: Transaction, account_ids: Sequence[int], flags: Mapping[str, bool]) -> None:
    """Set the flags `never_probe`, `managed` and `protected` of accounts."""
    transaction.execute(
        update(ACCOUNTS).where(ACCOUNTS.c.id == bindparam("which")).values(**flags),
        [{"which": number} for number in account_ids],
    )


def _with_index(facts: AccountFacts, before: AccountFacts) -> AccountFacts:
    """Keep the last index of an entry that has none while it is disabled: usage events name accounts by it."""
    return facts if facts.auth_index else replace(facts, auth_index=before.auth_index)


def _disown(transaction: Transaction, account_ids: set[int]) -> None:
    """Make the present state of accounts a person's: no earlier action counts, and automation does not manage them."""
    newest = transaction.execute(select(func.max(ACTIONS.c.id))).scalar() or 0
    values = {"owned_after": newest, "managed": False}
    transaction.execute(
        update(ACCOUNTS).where(ACCOUNTS.c.id == bindparam("which")).values(**values),
        [{"which": number} for number in sorted(account_ids)],
    )


def _record(values: RowMapping) -> AccountRecord:
    return AccountRecord(
        id=values["id"],
        pool_id=values["pool_id"],
        facts=AccountFacts(**{name: values[name] for name in _FACTS}),
        first_seen_at=values["first_seen_at"],
        never_probe=values["never_probe"],
        managed=values["managed"],
        owned_after=values["owned_after"],
        protected=values["protected"],
    )
