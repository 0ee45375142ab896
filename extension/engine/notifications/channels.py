"""Channels: any number of addresses, each with the topics it reports, and the record of their deliveries."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any, Protocol
from urllib.parse import urlsplit

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.engine.errors import ChannelUnknown
from extension.engine.notifications.messages import TEST, topics_of
from extension.engine.pool.listing import PoolListing
from extension.inspection.requests.addresses import usable_base
from extension.inspection.settings import SettingsError
from extension.reasons.reason import NO_REASON, Reason, ReasonList
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.notifications import deliveries
from extension.store.notifications.channels import ChannelKind, ChannelRecord
from extension.store.notifications.deliveries import DeliveryRecord
from extension.store.records import EventKind


@dataclass(frozen=True, slots=True)
class Sent:
    """Result of a delivery: acceptance, number of attempts, and the problem of the last one."""

    taken: bool
    attempts: int
    problem: ReasonList = NO_REASON


class Sender(Protocol):
    """Client that sends messages to the addresses of one kind of channel."""

    async def flaw(self, address: Secret) -> Reason | None:
        """Return why an address cannot be used, or None where it can."""

    async def send(self, address: Secret, message: Mapping[str, Any], *, is_test: bool) -> Sent:
        """Send a message and return the result of the delivery; it never raises."""


class ChannelStore(Protocol):
    """Storage of the channels."""

    async def read(self, pool_id: int) -> Sequence[ChannelRecord]:
        """Return the channels of a pool."""

    async def change(self, pool_id: int, changed: Callable[[Sequence[ChannelRecord]], Sequence[ChannelRecord]]) -> None:
        """Put the channels that a function makes of those there are in their place."""


@dataclass(frozen=True, slots=True)
class ChannelSetup:
    """Storage of the channels, and the senders of their messages by kind."""

    store: ChannelStore
    senders: Mapping[ChannelKind, Sender] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel without its address: the scheme of it, scheme and host of a URL, and the newest delivery."""

    id: int
    name: str
    kind: ChannelKind
    scheme: str
    host: str
    topics: tuple[str, ...]
    last: DeliveryRecord | None


class Channels:
    """Channels of one pool."""

    def __init__(self, setup: ChannelSetup, database: Database, clock: Clock, listing: PoolListing) -> None:
        self._setup = setup
        self._database = database
        self._clock = clock
        self._listing = listing

    async def all(self) -> tuple[Channel, ...]:
        """Return the channels with their newest deliveries."""
        last = await self._database.read(deliveries.last_by_channel, self._listing.pool_id)
        return tuple(_shown(channel, last.get(channel.id)) for channel in await self._read())

    async def recent(self, limit: int = 20) -> tuple[DeliveryRecord, ...]:
        """Return the newest deliveries of all channels, newest first."""
        return await self._database.read(deliveries.newest, self._listing.pool_id, limit)

    async def add(self, name: str, kind: ChannelKind, address: Secret, topics: tuple[str, ...]) -> None:
        """Add a channel. Raises `SettingsError` or `ChannelLibraryMissing`."""
        await self._check(kind, address)

        def added(channels: Sequence[ChannelRecord]) -> Sequence[ChannelRecord]:
            number = max((channel.id for channel in channels), default=0) + 1
            return (*channels, ChannelRecord(number, name, kind, address, topics))

        await self._change(added)

    async def edit(self, number: int, name: str | None, address: Secret | None, topics: tuple[str, ...] | None) -> None:
        """Change the parts of a channel that are not None; raises as `add` does, and `ChannelUnknown`."""
        if address is not None:
            await self._check(_find(await self._read(), number).kind, address)

        def edited(channels: Sequence[ChannelRecord]) -> Sequence[ChannelRecord]:
            old = _find(channels, number)
            new = replace(
                old,
                name=old.name if name is None else name,
                address=address or old.address,
                topics=old.topics if topics is None else topics,
            )
            return tuple(new if channel is old else channel for channel in channels)

        await self._change(edited)

    async def remove(self, number: int) -> None:
        """Remove a channel; raises `ChannelUnknown`."""

        def without(channels: Sequence[ChannelRecord]) -> Sequence[ChannelRecord]:
            removed = _find(channels, number)
            return tuple(channel for channel in channels if channel is not removed)

        await self._change(without)

    async def test(self, number: int) -> DeliveryRecord:
        """Send a test message to a channel, once; raises `ChannelUnknown`."""
        return await self._sent(_find(await self._read(), number), TEST, is_test=True)

    async def try_address(self, kind: ChannelKind, address: Secret) -> Sent:
        """Send a test message to an address that is not stored, once; raises as `add` does."""
        await self._check(kind, address)
        return await self._setup.senders[kind].send(address, TEST, is_test=True)

    @staticmethod
    def has_library() -> bool:
        """Return whether the Apprise library is installed."""
        return find_spec("apprise") is not None

    async def is_wanted(self) -> bool:
        """Return whether there is a channel."""
        return bool(await self._read())

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send a message to the channels that report one of its topics, at the same time: none waits for another."""
        topics = topics_of(message)
        addressed = [
            channel for channel in await self._read() if not channel.topics or topics.intersection(channel.topics)
        ]
        await asyncio.gather(*(self._sent(channel, message, is_test=False) for channel in addressed))

    async def _check(self, kind: ChannelKind, address: Secret) -> None:
        flaw = await self._setup.senders[kind].flaw(address)
        if flaw is not None:
            raise SettingsError(flaw, required=True)

    async def _sent(self, channel: ChannelRecord, message: Mapping[str, Any], *, is_test: bool) -> DeliveryRecord:
        # A process that no longer owns the gateway fails here, before the message is sent a second time.
        await self._database.write(lambda _: None)
        sent = await self._setup.senders[channel.kind].send(channel.address, message, is_test=is_test)
        now, pool_id = self._clock.now_ms(), self._listing.pool_id
        values = {
            "channel": channel.id,
            "kind": str(message["kind"]),
            "run_id": message.get("run"),
            "at": now,
            "taken": sent.taken,
            "attempts": sent.attempts,
        }

        def write(transaction: Transaction) -> DeliveryRecord:
            delivery = deliveries.add(transaction, pool_id, values, sent.problem)
            events.append(transaction, now, EventKind.CHANNEL, None, {"ids": [delivery.id]}, pool_id=pool_id)
            return delivery

        return await self._database.write(write)

    async def _read(self) -> Sequence[ChannelRecord]:
        return await self._setup.store.read(self._listing.pool_id)

    async def _change(self, changed: Callable[[Sequence[ChannelRecord]], Sequence[ChannelRecord]]) -> None:
        now, pool_id = self._clock.now_ms(), self._listing.pool_id
        await self._setup.store.change(pool_id, changed)
        await self._database.write(events.append, now, EventKind.CHANNEL, None, {}, pool_id=pool_id)


def can_be_called(address: str) -> bool:
    """Return whether a message can be posted there; unlike a base URL, it may carry its token in a query."""
    place = address.partition("#")[0].partition("?")[0]
    return address.isprintable() and " " not in address and usable_base(place) is not None


def _find(channels: Sequence[ChannelRecord], number: int) -> ChannelRecord:
    for channel in channels:
        if channel.id == number:
            return channel
    raise ChannelUnknown(number)


def _shown(channel: ChannelRecord, last: DeliveryRecord | None) -> Channel:
    address = channel.address.reveal()
    scheme, host = address.partition("://")[0], ""
    if channel.kind is ChannelKind.JSON and can_be_called(address):
        host = f"{scheme}://{urlsplit(address).netloc.rpartition('@')[2]}"
    return Channel(channel.id, channel.name, channel.kind, scheme, host, channel.topics, last)
