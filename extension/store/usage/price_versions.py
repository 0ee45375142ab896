"""Dictionary of price versions, each with the terms of the price that explain the costs computed with it."""

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_PRICE_VERSIONS
from extension.store.usage.upserting import insert_missing

NO_VERSION: Final = 0
"""Id of the empty version: a cost that needed no price."""
_ROW: Final = USAGE_PRICE_VERSIONS.c
_CHUNK: Final = 400


def remember(transaction: Transaction, terms: Mapping[str, str]) -> dict[str, int]:
    """Return the ids of versions, storing those that are new with their terms."""
    wanted = sorted(version for version in terms if version)
    found = _stored(transaction, wanted)
    missing = [{"version": version, "terms": terms[version]} for version in wanted if version not in found]
    if missing:
        insert_missing(transaction, USAGE_PRICE_VERSIONS, missing)
        found |= _stored(transaction, wanted)
    return {"": NO_VERSION, **found}


def versions(transaction: Transaction, ids: Collection[int]) -> dict[int, str]:
    """Return versions by their ids."""
    return {NO_VERSION: "", **{key: version for key, (version, _) in terms_of(transaction, ids).items()}}


def terms_of(transaction: Transaction, ids: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return versions and their terms by their ids."""
    ordered = sorted(set(ids))
    found: dict[int, tuple[str, str]] = {}
    for start in range(0, len(ordered), _CHUNK):
        query = select(USAGE_PRICE_VERSIONS).where(_ROW.id.in_(ordered[start : start + _CHUNK]))
        found |= {row.id: (row.version, row.terms) for row in transaction.execute(query)}
    return found


def _stored(transaction: Transaction, wanted: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(wanted), _CHUNK):
        query = select(_ROW.id, _ROW.version).where(_ROW.version.in_(wanted[start : start + _CHUNK]))
        found |= {row.version: row.id for row in transaction.execute(query)}
    return found
