"""Names of usage, each stored once with a number: models, accounts, client keys, failures; and versions of prices."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from sqlalchemy import Table, select

from extension.store.database.database import Transaction
from extension.store.schema.dialects import chunks, upsert
from extension.store.schema.tables import ACCOUNTS
from extension.store.schema.usage_tables import USAGE_NAMES, USAGE_PRICE_VERSIONS
from extension.usage.event import TokenQuality


class NameKind(IntEnum):
    """Kinds of names, as stored; those of `ROLLED_UP` are dimensions of sums."""

    TOTAL = 0
    MODEL = 1
    ACCOUNT = 2
    CLIENT = 3
    PROVIDER = 4
    FAILURE = 5
    ALIAS = 6
    ENDPOINT = 7
    TIER = 8


Name: TypeAlias = tuple[NameKind, str]
COLUMNS: Final[Mapping[NameKind, str]] = MappingProxyType(
    {kind: f"{kind.name.lower()}_id" for kind in NameKind if kind is not NameKind.TOTAL}
)
"""Column of events that holds the id of a name."""

ROLLED_UP: Final = tuple(kind for kind in NameKind if kind <= NameKind.FAILURE)
"""Dimensions with hourly sums."""

NO_NAME: Final = 0
"""Id of the empty name."""
NO_VERSION: Final = 0
"""Id of the empty version of a price: a cost that needed no price."""
QUALITIES: Final = tuple(TokenQuality)
"""Qualities by their stored number."""
_SEPARATOR: Final = " \u00b7 "
_PRICE: Final = USAGE_PRICE_VERSIONS.c


def remember(transaction: Transaction, names: Collection[Name]) -> dict[Name, int]:
    """Return the ids of names, storing those that are new; the empty name has a fixed id.

    PostgreSQL cannot store the character NUL, so it is replaced in every name.
    """
    storable = {name: (name[0], name[1].replace("\0", "\ufffd")) for name in names}
    texts_to_find = sorted({name for name in storable.values() if name[1]})
    ids = _stored_names(transaction, texts_to_find)
    missing = [{"kind": kind.value, "text": text} for kind, text in texts_to_find if (kind, text) not in ids]
    if missing:
        _insert_missing(transaction, USAGE_NAMES, missing)
        ids |= _stored_names(transaction, texts_to_find)
    return {name: ids[stored] if stored[1] else NO_NAME for name, stored in storable.items()}


def find(transaction: Transaction, kind: NameKind, text: str) -> int | None:
    """Return the id of a name; None when there is none."""
    return NO_NAME if not text else _stored_names(transaction, [(kind, text)]).get((kind, text))


def texts(transaction: Transaction, ids: Collection[int]) -> dict[int, str]:
    """Return names by their ids."""
    names = {NO_NAME: ""}
    for chunk in chunks(sorted(set(ids))):
        query = select(USAGE_NAMES.c.id, USAGE_NAMES.c.text).where(USAGE_NAMES.c.id.in_(chunk))
        names |= {row.id: row.text for row in transaction.execute(query)}
    return names


def account_labels(transaction: Transaction, pool_id: int) -> dict[str, str]:
    """Return display names by the gateway's index, with the place where several accounts have the same name.

    Of accounts that had the same index, the newest one's.
    """
    columns = (ACCOUNTS.c.auth_index, ACCOUNTS.c.display_name, ACCOUNTS.c.place, ACCOUNTS.c.key_hint)
    indexed = (ACCOUNTS.c.pool_id == pool_id, ACCOUNTS.c.auth_index != "")
    query = select(*columns).where(*indexed).order_by(ACCOUNTS.c.id)
    newest = {row.auth_index: row for row in transaction.execute(query)}
    counts = Counter(row.display_name for row in newest.values())
    return {
        index: f"{row.display_name}{_SEPARATOR}{place}"
        if counts[row.display_name] > 1 and (place := row.place or row.key_hint)
        else row.display_name
        for index, row in newest.items()
    }


def remember_prices(transaction: Transaction, terms: Mapping[str, str]) -> dict[str, int]:
    """Return the ids of versions of prices, storing those that are new with their terms."""
    versions = sorted(version for version in terms if version)
    ids = _stored_prices(transaction, versions)
    missing = [{"version": version, "terms": terms[version]} for version in versions if version not in ids]
    if missing:
        _insert_missing(transaction, USAGE_PRICE_VERSIONS, missing)
        ids |= _stored_prices(transaction, versions)
    return {"": NO_VERSION, **ids}


def price_terms(transaction: Transaction, ids: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return versions of prices and their terms by their ids; the terms explain every cost computed with them."""
    prices: dict[int, tuple[str, str]] = {}
    for chunk in chunks(sorted(set(ids))):
        rows = transaction.execute(select(USAGE_PRICE_VERSIONS).where(_PRICE.id.in_(chunk)))
        prices |= {row.id: (row.version, row.terms) for row in rows}
    return prices


def _stored_names(transaction: Transaction, names: Collection[Name]) -> dict[Name, int]:
    ids: dict[Name, int] = {}
    by_kind: dict[NameKind, list[str]] = {}
    for kind, text in names:
        by_kind.setdefault(kind, []).append(text)
    for kind, kind_texts in by_kind.items():
        for chunk in chunks(kind_texts):
            query = select(USAGE_NAMES.c.id, USAGE_NAMES.c.text).where(
                USAGE_NAMES.c.kind == kind.value, USAGE_NAMES.c.text.in_(chunk)
            )
            ids |= {(kind, row.text): row.id for row in transaction.execute(query)}
    return ids


def _stored_prices(transaction: Transaction, versions: Sequence[str]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for chunk in chunks(versions):
        query = select(_PRICE.id, _PRICE.version).where(_PRICE.version.in_(chunk))
        ids |= {row.version: row.id for row in transaction.execute(query)}
    return ids


def _insert_missing(transaction: Transaction, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, but for those that another process has inserted meanwhile."""
    transaction.execute(upsert(transaction, table).on_conflict_do_nothing(), rows)
