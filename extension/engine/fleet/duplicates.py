"""Reader of the duplicates of a fleet.

Comparing the marks of a million accounts takes PostgreSQL a second, so they are compared again only after a change of
the gateways, or an event of a pool: one is stored with every change of an account.
"""

from dataclasses import dataclass, replace

from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.fleet import duplicates, gateways
from extension.store.fleet.duplicates import Duplicate
from extension.store.records import EventKind


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Duplicates of some gateways (number and name), as they were at an event."""

    newest: int
    gateways: frozenset[tuple[int, str]]
    duplicates: tuple[Duplicate, ...]


class DuplicateReader:
    """Reads duplicates, and remembers them for as long as they stay the same."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last: _Comparison | None = None

    async def read(self) -> tuple[Duplicate, ...]:
        """Return the duplicates among the enabled gateways, the worst first. Raises `StoreError`."""
        last = self._last

        def compare(transaction: Transaction) -> _Comparison:
            enabled = frozenset((row.pool_id, row.name) for row in gateways.every(transaction) if row.enabled)
            newest = events.newest(transaction)
            if last is None or last.gateways != enabled or events.may_follow(transaction, last.newest, EventKind.POOL):
                return _Comparison(newest, enabled, duplicates.every(transaction))
            return replace(last, newest=newest)

        self._last = compared = await self._database.read(compare)
        return compared.duplicates
