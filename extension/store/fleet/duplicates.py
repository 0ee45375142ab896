"""Duplicates: the same key, or the same account of a vendor, at several gateways of a fleet."""

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import func, select

from extension.store.database.database import Transaction
from extension.store.schema.fleet_tables import GATEWAYS
from extension.store.schema.tables import ACCOUNTS

_ROW = ACCOUNTS.c


class DuplicateKind(StrEnum):
    """Kinds of duplicates, the worse one first."""

    OAUTH = "oauth"
    """Each gateway refreshes the session, which ends that of the other."""
    KEY = "key"


@dataclass(frozen=True, slots=True)
class DuplicatePlace:
    """An account with a mark that one of another gateway has as well."""

    pool_id: int
    gateway: str
    account_id: int
    display_name: str
    key_hint: str
    place: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Accounts at two or more gateways that are one at the vendor."""

    kind: DuplicateKind
    places: tuple[DuplicatePlace, ...]


_MARKS = {DuplicateKind.OAUTH: _ROW.vendor_mark, DuplicateKind.KEY: _ROW.key_mark}


def every(transaction: Transaction) -> tuple[Duplicate, ...]:
    """Return the duplicates among the enabled gateways, the worst first."""
    duplicates: list[Duplicate] = []
    for kind, mark in _MARKS.items():
        listed = select(mark.label("mark")).join(GATEWAYS, GATEWAYS.c.pool_id == _ROW.pool_id)
        listed = listed.where(mark != "", GATEWAYS.c.enabled)
        # A count of distinct pools would sort those of each mark.
        repeated = listed.group_by(mark).having(func.min(_ROW.pool_id) != func.max(_ROW.pool_id))
        columns = (_ROW.pool_id, GATEWAYS.c.name, _ROW.id, _ROW.display_name, _ROW.key_hint, _ROW.place)
        query = (
            select(mark, *columns)
            .join(GATEWAYS, GATEWAYS.c.pool_id == _ROW.pool_id)
            .where(mark.in_(repeated), GATEWAYS.c.enabled)
            .order_by(GATEWAYS.c.name, _ROW.id)
        )
        groups: defaultdict[str, list[DuplicatePlace]] = defaultdict(list)
        for mark_of_group, *place in transaction.execute(query):
            groups[mark_of_group].append(DuplicatePlace(*place))
        duplicates += [Duplicate(kind, tuple(places)) for places in groups.values()]
    return tuple(duplicates)
