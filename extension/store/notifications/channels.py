"""Channels as persons set them: their addresses are secrets, so they are stored sealed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.store import sealed_documents
from extension.store.database.database import Database, Transaction
from extension.store.sealed_documents import DocumentKind, SealedDocument
from extension.store.sealing import Seal


class ChannelKind(StrEnum):
    """Form of the messages of a channel: text by the Apprise library, or JSON in a POST to a URL (a webhook)."""

    APPRISE = "apprise"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ChannelRecord:
    """One channel: its name, kind and address, and the topics it reports (none: all of them)."""

    id: int
    name: str
    kind: ChannelKind
    address: Secret
    topics: tuple[str, ...] = ()


class SealedChannels:
    """Reads and writes the channels of pools, sealed, since their addresses are secrets."""

    def __init__(self, database: Database, seal: Seal, clock: Clock) -> None:
        self._database = database
        self._seal = seal
        self._clock = clock

    async def read(self, pool_id: int) -> Sequence[ChannelRecord]:
        """Return the channels of a pool, in the order they were added. Raises `StoreError`."""
        return await self._database.read(self._stored, pool_id)

    async def change(self, pool_id: int, changed: Callable[[Sequence[ChannelRecord]], Sequence[ChannelRecord]]) -> None:
        """Put the channels that a function makes of those there are in their place. Raises `StoreError`."""
        await self._database.write(self._replace, pool_id, changed)

    def _stored(self, transaction: Transaction, pool_id: int) -> Sequence[ChannelRecord]:
        for document in sealed_documents.every(transaction, pool_id, DocumentKind.CHANNELS):
            content = sealed_documents.content(transaction, self._seal, document)
            return () if content is None else tuple(map(_record, json.loads(content.reveal())))
        return ()

    def _replace(
        self,
        transaction: Transaction,
        pool_id: int,
        changed: Callable[[Sequence[ChannelRecord]], Sequence[ChannelRecord]],
    ) -> None:
        channels, now = changed(self._stored(transaction, pool_id)), self._clock.now_ms()
        for former in sealed_documents.every(transaction, pool_id, DocumentKind.CHANNELS):
            sealed_documents.remove(transaction, former.id)
        document = SealedDocument(0, pool_id, DocumentKind.CHANNELS.value, 0, "", now)
        content = Secret(json.dumps([_row(channel) for channel in channels]))
        sealed_documents.add(transaction, self._seal, document, content)


def _row(channel: ChannelRecord) -> dict[str, Any]:
    return {
        "id": channel.id,
        "name": channel.name,
        "kind": channel.kind,
        "address": channel.address.reveal(),
        "topics": list(channel.topics),
    }


def _record(row: Mapping[str, Any]) -> ChannelRecord:
    address, topics = Secret(str(row["address"])), tuple(row["topics"])
    return ChannelRecord(int(row["id"]), str(row["name"]), ChannelKind(row["kind"]), address, topics)
