"""Gateways of a fleet: each is tested before it is stored, and a key that it has refused is not sent again."""

import asyncio
from dataclasses import dataclass, replace
from typing import Final, Protocol

from adapter.clock import Clock
from adapter.port import Connection, GatewayError
from adapter.port.errors import Unauthorised
from adapter.privacy.secret import Redactor, Secret
from extension.engine.errors import EngineError
from extension.engine.fleet.errors import GatewayFieldUnfit, GatewayTaken, GatewayUnknown, KeyRefusedBefore
from extension.engine.fleet.keys import GatewayKeys
from extension.engine.fleet.orders import GatewayChange, GatewayOrder, check_credentials, check_labels, check_name
from extension.store.database.database import Database, Transaction
from extension.store.errors import StoreError
from extension.store.fleet import gateways
from extension.store.fleet.gateways import GatewayRecord, GatewayState

_EXPENSIVE_SECONDS: Final = 0.02


class Connector(Protocol):
    """Maker of connections to gateways elsewhere."""

    def address(self, text: str) -> str:
        """Return an address in the one form in which it is used, or raise `ValueError`."""

    def connect(self, url: str, key: Secret, ca: str) -> Connection:
        """Return a connection, which sends nothing before its first use, or raise `ValueError`."""


@dataclass(frozen=True, slots=True)
class GatewayTest:
    """Answer of a gateway to a test: its release, the seconds of a call, and the counts of its accounts.

    `hashed_key` is true where the key is stored as a hash that makes every call expensive.
    """

    release: str
    capabilities: tuple[str, ...]
    seconds_per_call: float
    hashed_key: bool
    accounts: int
    enabled: int
    skipped: int


@dataclass(frozen=True, slots=True)
class ImportedGateway:
    """Fate of a gateway of a file: `change` is add, edit, remove or unchanged, or refused with its `error`."""

    name: str
    change: str
    error: EngineError | GatewayError | StoreError | None = None


class Gateways:
    """The gateways of a fleet as its operators see and change them."""

    def __init__(
        self, database: Database, clock: Clock, redactor: Redactor, keys: GatewayKeys, connector: Connector
    ) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._keys = keys
        self._connector = connector
        self._turn = asyncio.Lock()

    async def all(self) -> tuple[GatewayRecord, ...]:
        """Return the gateways by name."""
        return await self._database.read(gateways.every)

    async def add(self, order: GatewayOrder, actor: str) -> tuple[GatewayRecord, GatewayTest]:
        """Test a gateway, then store it; after a test that fails nothing is stored.

        Raises:
            GatewayError: the test failed.
            EngineError: a field cannot be used, or the gateway is there already.
        """
        order = self._checked(order)
        async with self._turn:
            self._require_free(order, await self.all())
            key = order.key or self._keys.referred(order.key_ref)
            test = await self._tested(order.url, key, order.ca)
            now = self._clock.now_ms()

            def store(transaction: Transaction) -> GatewayRecord:
                self._require_free(order, gateways.every(transaction))  # another process may have added it meanwhile
                number = gateways.number_for(transaction, order.name, now)
                record = GatewayRecord(
                    number,
                    order.name,
                    order.url,
                    None,
                    order.key_ref,
                    order.ca,
                    order.labels,
                    order.egress,
                    order.enabled,
                    GatewayState.SERVED,
                    "",
                    test.release,
                    test.capabilities,
                    now,
                    self._redactor.redact(actor),
                    now,
                    1,
                )
                if order.key is not None:
                    record = replace(record, key_sealed=self._keys.sealed(order.key, record.place))
                gateways.put(transaction, record)
                return record

            return await self._database.write(store), test

    async def edit(self, name: str, change: GatewayChange) -> GatewayRecord:
        """Change parts of a gateway; another URL, key or authority is tested first.

        A key is sealed together with the URL, so another URL needs the key again. Raises as `add`, and
        `GatewayUnknown`.
        """
        if change.labels is not None:
            check_labels(change.labels)
        async with self._turn:
            old = await self._named(name)
            new, key = self._changed(old, change)
            if key is not None:
                self._require_other(new, key)
                test = await self._tested(new.url, key, new.ca)
                new = replace(_served(new, test, self._clock.now_ms()), refused_mark="")

            def store(transaction: Transaction) -> GatewayRecord:
                self._require_free(GatewayOrder(name, new.url), gateways.every(transaction), editing=True)
                gateways.put(transaction, new)
                return new

            return await self._database.write(store)

    async def remove(self, name: str) -> None:
        """Forget a gateway; the runs and actions of its pool stay. Raises `GatewayUnknown`."""
        async with self._turn:
            await self._database.write(gateways.remove, (await self._named(name)).pool_id)

    async def test(self, name: str) -> tuple[GatewayRecord, GatewayTest]:
        """Test a gateway with its key, and record the answer; a key that it has refused is not sent again.

        Raises:
            KeyRefusedBefore: it has refused this very key.
            GatewayError: the test failed.
        """
        async with self._turn:
            record = await self._named(name)
            key = self._keys.of(record)
            self._require_other(record, key)
            try:
                test = await self._tested(record.url, key, record.ca)
            except Unauthorised:
                await self._database.write(gateways.note_refusal, record.pool_id, self._keys.mark(key))
                raise
            served = replace(_served(record, test, self._clock.now_ms()), refused_mark="")
            await self._database.write(gateways.put, served)
            return served, test

    async def import_all(
        self, orders: tuple[GatewayOrder, ...], actor: str, *, dry_run: bool, prune: bool
    ) -> tuple[ImportedGateway, ...]:
        """Bring the fleet to the state of a file, one gateway after the other; one that is refused stops no other.

        With `dry_run` nothing is sent or stored. With `prune`, gateways that are not in the file are removed. A key in
        the file is set anew only where it differs from the stored one.
        """
        stored = {record.name: record for record in await self.all()}
        fates = []
        for order in orders:
            try:
                change = self._planned(order, stored.get(order.name))
                if not dry_run and change == "add":
                    await self.add(order, actor)
                elif not dry_run and change == "edit":
                    await self.edit(order.name, self._difference(order, stored[order.name]))
                fates.append(ImportedGateway(order.name, change))
            except (EngineError, GatewayError, StoreError) as error:
                fates.append(ImportedGateway(order.name, "refused", error))
        for name in sorted(stored.keys() - {order.name for order in orders}) if prune else ():
            if not dry_run:
                await self.remove(name)
            fates.append(ImportedGateway(name, "remove"))
        return tuple(fates)

    def _planned(self, order: GatewayOrder, stored: GatewayRecord | None) -> str:
        order = self._checked(order)
        if stored is None:
            return "add"
        return "unchanged" if self._difference(order, stored) == GatewayChange() else "edit"

    def _difference(self, order: GatewayOrder, stored: GatewayRecord) -> GatewayChange:
        url = self._address(order.url)
        return GatewayChange(
            url=None if url == stored.url else url,
            key=None if order.key is None or (url == stored.url and self._has(stored, order.key)) else order.key,
            key_ref=None if not order.key_ref or order.key_ref == stored.key_ref else order.key_ref,
            ca=None if order.ca == stored.ca else order.ca,
            labels=None if order.labels == stored.labels else order.labels,
            egress=None if order.egress == stored.egress else order.egress,
            enabled=None if order.enabled == stored.enabled else order.enabled,
        )

    def _has(self, stored: GatewayRecord, key: Secret) -> bool:
        try:
            return not stored.key_ref and self._keys.of(stored) == key
        except StoreError:
            return False

    def _checked(self, order: GatewayOrder) -> GatewayOrder:
        check_name(order.name)
        check_labels(order.labels)
        check_credentials(order.key, order.key_ref)
        return replace(order, url=self._address(order.url))

    def _address(self, text: str) -> str:
        try:
            return self._connector.address(text)
        except ValueError as error:
            raise GatewayFieldUnfit("url", str(error), "Give one like http://10.0.0.7:8317.") from None

    def _changed(self, old: GatewayRecord, change: GatewayChange) -> tuple[GatewayRecord, Secret | None]:
        """Return the gateway as changed, and the key to test it with; None where nothing needs a test."""
        new = replace(
            old,
            url=old.url if change.url is None else self._address(change.url),
            ca=old.ca if change.ca is None else change.ca,
            labels=old.labels if change.labels is None else change.labels,
            egress=old.egress if change.egress is None else change.egress,
            enabled=old.enabled if change.enabled is None else change.enabled,
            key_ref=change.key_ref or ("" if change.key else old.key_ref),
            revision=old.revision + 1,
        )
        if change.key:
            check_credentials(change.key, change.key_ref or "")
            return replace(new, key_sealed=self._keys.sealed(change.key, new.place)), change.key
        if new.key_ref:
            same = (new.url, new.ca, new.key_ref) == (old.url, old.ca, old.key_ref)
            return replace(new, key_sealed=None), None if same else self._keys.referred(new.key_ref)
        if new.url != old.url:
            raise GatewayFieldUnfit("key", "Another URL needs the management key again.", "Give it with the URL.")
        return new, None if new.ca == old.ca else self._keys.of(old)

    def _require_other(self, gateway: GatewayRecord, key: Secret) -> None:
        if gateway.key_refused and gateway.refused_mark == self._keys.mark(key):
            raise KeyRefusedBefore(gateway.name)

    def _require_free(self, order: GatewayOrder, stored: tuple[GatewayRecord, ...], *, editing: bool = False) -> None:
        for record in stored:
            is_itself = record.name == order.name
            if (is_itself and not editing) or (record.url == order.url and not is_itself):
                raise GatewayTaken(record.name)

    async def _named(self, name: str) -> GatewayRecord:
        stored = {record.name: record for record in await self.all()}
        if name not in stored:
            raise GatewayUnknown(name, stored)
        return stored[name]

    async def _tested(self, url: str, key: Secret, ca: str) -> GatewayTest:
        """Ask a gateway what it is and what it has, one request after the other, each once."""
        try:
            connection = self._connector.connect(url, key, ca)
        except ValueError as error:
            raise GatewayFieldUnfit("key", str(error), "Correct it.") from None
        try:
            about = await connection.gateway.describe()
            pool = await connection.gateway.accounts()
        finally:
            await connection.close()
        return GatewayTest(
            release=about.version,
            capabilities=tuple(sorted(capability.value for capability in about.capabilities)),
            seconds_per_call=about.seconds_per_call,
            hashed_key=about.seconds_per_call > _EXPENSIVE_SECONDS,
            accounts=len(pool.accounts),
            enabled=sum(account.enabled is True for account in pool.accounts),
            skipped=len(pool.skipped),
        )


def _served(record: GatewayRecord, test: GatewayTest, now: int) -> GatewayRecord:
    return replace(record, state=GatewayState.SERVED, release=test.release, capabilities=test.capabilities, seen_at=now)
