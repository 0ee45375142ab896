"""Dictionary of names: models, accounts, fingerprints of client keys, providers, failures and the like."""

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from sqlalchemy import select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_NAMES
from extension.store.usage.dimensions import NO_NAME, NameKind
from extension.store.usage.upserting import insert_missing

Name: TypeAlias = tuple[NameKind, str]
_CHUNK: Final = 400


def remember(transaction: Transaction, names: Collection[Name]) -> dict[Name, int]:
    """Return the ids of names, storing those that are new; the empty name has a fixed id.

    PostgreSQL cannot store the character NUL, so it is replaced in every name.
    """
    storable = {name: (name[0], name[1].replace("\0", "\ufffd")) for name in names}
    wanted = sorted({name for name in storable.values() if name[1]})
    found = _stored(transaction, wanted)
    missing = [{"kind": kind.value, "text": text} for kind, text in wanted if (kind, text) not in found]
    if missing:
        insert_missing(transaction, USAGE_NAMES, missing)
        found |= _stored(transaction, wanted)
    return {name: found[stored] if stored[1] else NO_NAME for name, stored in storable.items()}


def find(transaction: Transaction, kind: NameKind, text: str) -> int | None:
    """Return the id of a name; None when there is none."""
    return NO_NAME if not text else _stored(transaction, [(kind, text)]).get((kind, text))


def texts(transaction: Transaction, ids: Collection[int]) -> dict[int, str]:
    """Return names by their ids."""
    found = {NO_NAME: ""}
    ordered = sorted(set(ids))
    for start in range(0, len(ordered), _CHUNK):
        query = select(USAGE_NAMES.c.id, USAGE_NAMES.c.text).where(
            USAGE_NAMES.c.id.in_(ordered[start : start + _CHUNK])
        )
        found |= {row.id: row.text for row in transaction.execute(query)}
    return found


def all_of(transaction: Transaction, kind: NameKind, limit: int) -> Mapping[int, str]:
    """Return at most `limit` names of a kind by their ids, in alphabetical order."""
    query = select(USAGE_NAMES.c.id, USAGE_NAMES.c.text).where(USAGE_NAMES.c.kind == kind.value)
    return {row.id: row.text for row in transaction.execute(query.order_by(USAGE_NAMES.c.text).limit(limit))}


def _stored(transaction: Transaction, names: Collection[Name]) -> dict[Name, int]:
    found: dict[Name, int] = {}
    by_kind: dict[NameKind, list[str]] = {}
    for kind, text in names:
        by_kind.setdefault(kind, []).append(text)
    for kind, wanted in by_kind.items():
        for start in range(0, len(wanted), _CHUNK):
            query = select(USAGE_NAMES.c.id, USAGE_NAMES.c.text).where(
                USAGE_NAMES.c.kind == kind.value, USAGE_NAMES.c.text.in_(wanted[start : start + _CHUNK])
            )
            found |= {(kind, row.text): row.id for row in transaction.execute(query)}
    return found
