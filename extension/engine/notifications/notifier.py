"""Notifier: the configured webhook address, messages to it, and the record of their deliveries."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.engine.errors import WebhookFixed, WebhookMissing
from extension.engine.notifications.channels import Channels, ChannelStore, ChannelTransport
from extension.engine.notifications.messages import TEST
from extension.engine.notifications.webhook_client import ATTEMPTS, Sent
from extension.engine.pool.listing import PoolListing
from extension.inspection.requests.addresses import usable_base
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Reason
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.notifications import deliveries
from extension.store.notifications.deliveries import DeliveryRecord, NewDelivery
from extension.store.records import EventKind

_LONGEST: Final = 2000


class WebhookTransport(Protocol):
    """Client that posts a message to an address."""

    async def post(self, address: Secret, message: Mapping[str, Any], attempts: int = ATTEMPTS) -> Sent:
        """Post a JSON object and return the result of the delivery; it never raises."""


class Addresses(Protocol):
    """Storage of the address that a person set."""

    def read(self) -> Secret | None:
        """Return it, or None."""

    def write(self, address: Secret | None) -> None:
        """Keep it, or none from now on."""


class SetBy(StrEnum):
    """Origin of the address."""

    NONE = ""
    SETTINGS = "settings"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class WebhookStatus:
    """Origin, scheme and host of the address (the rest may be a token), and the last delivery."""

    set_by: SetBy
    host: str
    last: DeliveryRecord | None


@dataclass(frozen=True, slots=True)
class WebhookConfig:
    """Transport and address store of the webhook. `configured` is the address from the service's settings; it wins."""

    transport: WebhookTransport
    addresses: Addresses
    configured: Secret | None = None
    channels: ChannelStore | None = None
    channel_transport: ChannelTransport | None = None


class Notifier:
    """Sender of notifications to one webhook address, and to the channels beside it."""

    def __init__(self, webhook: WebhookConfig, database: Database, clock: Clock, listing: PoolListing) -> None:
        self._webhook = webhook
        self._database = database
        self._clock = clock
        self._listing = listing
        self.channels = (
            Channels(webhook.channels, webhook.channel_transport, database, clock, listing)
            if webhook.channels is not None and webhook.channel_transport is not None
            else None
        )

    async def standing(self) -> WebhookStatus:
        """Return the status of the webhook without the address itself."""
        address, pool_id = await self._address(), self._listing.pool_id
        last = await self._database.read(lambda transaction: deliveries.last(transaction, pool_id))
        if self._webhook.configured is not None:
            return WebhookStatus(SetBy.SETTINGS, _host(self._webhook.configured), last)
        return WebhookStatus(SetBy.PERSON if address else SetBy.NONE, _host(address) if address else "", last)

    async def change(self, address: Secret | None) -> None:
        """Set the address, or remove it.

        Raises:
            SettingsError: it is no http or https address.
            WebhookFixed: the service's settings name the address.
        """
        if self._webhook.configured is not None:
            raise WebhookFixed
        if address is not None:
            text = address.reveal()
            if len(text) > _LONGEST or not _can_be_called(text):
                raise SettingsError(
                    Reason(ReasonCode.WEBHOOK_ADDRESS, {"field": "address", "bound": _LONGEST}), required=True
                )
        await asyncio.to_thread(self._webhook.addresses.write, address)
        now = self._clock.now_ms()
        await self._database.write(lambda transaction: events.append(transaction, now, EventKind.WEBHOOK, None, {}))

    async def is_wanted(self) -> bool:
        """Say whether an address or a channel is configured."""
        return await self._address() is not None or (self.channels is not None and await self.channels.is_wanted())

    async def send(self, message: Mapping[str, Any]) -> bool:
        """Send a message, trying again where it is not taken, and say whether the webhook took it.

        The channels get it at the same time: a slow one does not delay the webhook.
        """
        if self.channels is None:
            return await self._posted(message)
        taken, _ = await asyncio.gather(self._posted(message), self.channels.send(message))
        return taken

    async def test(self) -> DeliveryRecord:
        """Send a message that says nothing, once.

        Raises:
            WebhookMissing: there is no address.
        """
        address = await self._address()
        if address is None:
            raise WebhookMissing
        return await self._sent(address, TEST, 1)

    async def _posted(self, message: Mapping[str, Any]) -> bool:
        """Send a message to the webhook, where there is one, and say whether it was taken."""
        address = await self._address()
        return address is not None and (await self._sent(address, message, ATTEMPTS)).taken

    async def _sent(self, address: Secret, message: Mapping[str, Any], attempts: int) -> DeliveryRecord:
        # A process that no longer leads fails here, before the message is sent a second time.
        await self._database.write(lambda _: None)
        sent = await self._webhook.transport.post(address, message, attempts)
        now, pool_id = self._clock.now_ms(), self._listing.pool_id
        told = NewDelivery(str(message["kind"]), message.get("run"), now, sent.taken, sent.attempts, sent.problem)

        def write(transaction: Transaction) -> DeliveryRecord:
            delivery = deliveries.add(transaction, pool_id, told)
            events.append(transaction, now, EventKind.WEBHOOK, None, {"ids": [delivery.id]})
            return delivery

        return await self._database.write(write)

    async def _address(self) -> Secret | None:
        return self._webhook.configured or await asyncio.to_thread(self._webhook.addresses.read)


def _can_be_called(address: str) -> bool:
    """Return whether a message can be sent there; unlike a base URL, a webhook may carry its token in a query."""
    place = address.partition("#")[0].partition("?")[0]
    return address.isprintable() and " " not in address and usable_base(place) is not None


def _host(address: Secret) -> str:
    """Return scheme and host; nothing where the address is none that could be called."""
    if not _can_be_called(address.reveal()):
        return ""
    parts = urlsplit(address.reveal())
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
