"""Aliases of client keys: a key is hashed on arrival and kept nowhere."""

from collections.abc import Sequence

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.engine.prices.errors import AliasTaken, AliasUnknown
from extension.store import events, prices
from extension.store.database.database import Database, Transaction
from extension.store.prices import AliasRecord
from extension.store.records import EventKind
from extension.usage.record_reading import UsageFingerprints


class Aliases:
    """Names of the client keys of one installation."""

    def __init__(self, database: Database, clock: Clock, fingerprints: UsageFingerprints) -> None:
        self._database = database
        self._clock = clock
        self._fingerprints = fingerprints

    async def every(self) -> Sequence[AliasRecord]:
        """Return all aliases, by name."""
        return await self._database.read(prices.all_aliases)

    def fingerprint(self, key: Secret) -> str:
        """Return the keyed hash of a client key."""
        return self._fingerprints.client_key(key.reveal().strip())

    async def put(self, fingerprint: str, alias: str, actor: str) -> AliasRecord:
        """Name a client key; its former alias is replaced. Raises `AliasTaken`."""
        record = AliasRecord(fingerprint, alias, actor, self._clock.now_ms())

        def store(transaction: Transaction) -> bool:
            return self._told(transaction, prices.put_alias(transaction, record))

        if not await self._database.write(store):
            raise AliasTaken(alias)
        return record

    async def remove(self, fingerprint: str) -> None:
        """Forget an alias. Raises `AliasUnknown`."""

        def forget(transaction: Transaction) -> bool:
            return self._told(transaction, prices.remove_alias(transaction, fingerprint))

        if not await self._database.write(forget):
            raise AliasUnknown

    def _told(self, transaction: Transaction, is_changed: bool) -> bool:
        if is_changed:
            events.append(transaction, self._clock.now_ms(), EventKind.ALIAS, None, {})
        return is_changed
