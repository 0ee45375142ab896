"""Channels: any number of Apprise addresses, each with the topics it reports, and the record of their deliveries."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.engine.errors import ChannelUnknown
from extension.engine.notifications.message_text import MessageText, message_text
from extension.engine.notifications.messages import TEST
from extension.engine.notifications.topics import topics_of
from extension.engine.notifications.webhook_client import Sent
from extension.engine.pool.listing import PoolListing
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Reason
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.notifications import deliveries
from extension.store.notifications.channel_file import ChannelRecord
from extension.store.notifications.deliveries import DeliveryRecord, NewDelivery
from extension.store.records import EventKind


class ChannelTransport(Protocol):
    """Client that sends messages to addresses."""

    async def service_of(self, address: Secret) -> str | None:
        """Return the name of the service of an address, or None where it cannot be used."""

    async def send(self, address: Secret, text: MessageText, *, is_test: bool) -> Sent:
        """Send a message and return the result of the delivery; it never raises."""


class ChannelStore(Protocol):
    """Storage of the channels."""

    def read(self) -> tuple[ChannelRecord, ...]:
        """Return the channels."""

    def write(self, channels: Sequence[ChannelRecord]) -> None:
        """Keep these channels from now on."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel without its address: the scheme of it, and the newest delivery."""

    id: int
    name: str
    scheme: str
    topics: tuple[str, ...]
    last: DeliveryRecord | None


class Channels:
    """Channels of one pool."""

    def __init__(
        self, store: ChannelStore, transport: ChannelTransport, database: Database, clock: Clock, listing: PoolListing
    ) -> None:
        self._store = store
        self._transport = transport
        self._database = database
        self._clock = clock
        self._listing = listing
        self._turn = asyncio.Lock()

    async def all(self) -> tuple[Channel, ...]:
        """Return the channels with their newest deliveries."""
        pool_id = self._listing.pool_id
        last = await self._database.read(lambda transaction: deliveries.last_by_channel(transaction, pool_id))
        return tuple(_shown(each, last.get(each.id)) for each in await self._read())

    async def recent(self, limit: int = 20) -> tuple[DeliveryRecord, ...]:
        """Return the newest deliveries of all channels, newest first."""
        pool_id = self._listing.pool_id
        return await self._database.read(lambda transaction: deliveries.of_channels(transaction, pool_id, limit))

    async def add(self, name: str, address: Secret, topics: tuple[str, ...]) -> None:
        """Add a channel.

        Raises:
            SettingsError: the library cannot use the address.
            ChannelLibraryMissing: the library is not installed.
        """
        await self._check(address)
        async with self._turn:
            known = await self._read()
            number = max((each.id for each in known), default=0) + 1
            await self._write((*known, ChannelRecord(number, name, address, topics)))

    async def edit(self, number: int, name: str | None, address: Secret | None, topics: tuple[str, ...] | None) -> None:
        """Change the parts of a channel that are given; raises as `add` does, and `ChannelUnknown`."""
        if address is not None:
            await self._check(address)
        async with self._turn:
            known = await self._read()
            old = _find(known, number)
            new = replace(
                old,
                name=old.name if name is None else name,
                address=address or old.address,
                topics=old.topics if topics is None else topics,
            )
            await self._write(tuple(new if each.id == number else each for each in known))

    async def remove(self, number: int) -> None:
        """Remove a channel; raises `ChannelUnknown`."""
        async with self._turn:
            known = await self._read()
            gone = _find(known, number)
            await self._write(tuple(each for each in known if each is not gone))

    async def test(self, number: int) -> DeliveryRecord:
        """Send a test message to a channel, once; raises `ChannelUnknown`."""
        return await self._sent(_find(await self._read(), number), TEST, is_test=True)

    async def is_wanted(self) -> bool:
        """Say whether there is a channel."""
        return bool(await self._read())

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send a message to the channels that report one of its topics; one that fails keeps none from the others."""
        topics = topics_of(message)
        wanted = [each for each in await self._read() if not each.topics or topics.intersection(each.topics)]
        await asyncio.gather(*(self._sent(each, message, is_test=False) for each in wanted))

    async def _check(self, address: Secret) -> None:
        if await self._transport.service_of(address) is None:
            raise SettingsError(Reason(ReasonCode.CHANNEL_ADDRESS, {"field": "address"}), required=True)

    async def _sent(self, channel: ChannelRecord, message: Mapping[str, Any], *, is_test: bool) -> DeliveryRecord:
        sent = await self._transport.send(channel.address, message_text(message), is_test=is_test)
        now, pool_id = self._clock.now_ms(), self._listing.pool_id
        run = message.get("run")
        told = NewDelivery(str(message["kind"]), run, now, sent.taken, sent.attempts, sent.problem, channel.id)

        def write(transaction: Transaction) -> DeliveryRecord:
            delivery = deliveries.add(transaction, pool_id, told)
            events.append(transaction, now, EventKind.WEBHOOK, None, {"ids": [delivery.id]})
            return delivery

        return await self._database.write(write)

    async def _read(self) -> tuple[ChannelRecord, ...]:
        return await asyncio.to_thread(self._store.read)

    async def _write(self, channels: tuple[ChannelRecord, ...]) -> None:
        await asyncio.to_thread(self._store.write, channels)
        now = self._clock.now_ms()
        await self._database.write(lambda transaction: events.append(transaction, now, EventKind.WEBHOOK, None, {}))


def _find(known: tuple[ChannelRecord, ...], number: int) -> ChannelRecord:
    found = next((each for each in known if each.id == number), None)
    if found is None:
        raise ChannelUnknown(number)
    return found


def _shown(channel: ChannelRecord, last: DeliveryRecord | None) -> Channel:
    scheme = channel.address.reveal().partition("://")[0]
    return Channel(channel.id, channel.name, scheme, channel.topics, last)
