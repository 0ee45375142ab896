"""Senders and store of channels in memory, and the engine with them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapter.fake import FakeGateway
from adapter.privacy.secret import Redactor, Secret
from extension.engine.inspector import Inspector
from extension.engine.notifications.channels import Channels, ChannelSetup, Sent
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Reason
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.notifications.channels import ChannelKind, ChannelRecord
from tests.extension.engine.scenario import FlyingClock, inspected, settings

ADDRESS = "http://127.0.0.1:9/hook"


class RecordingSender:
    """Sender that keeps messages and accepts them or not; the address `nonsense` is refused."""

    def __init__(self, sent: Sent | None = None) -> None:
        self.messages: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        self.addresses: list[str] = []
        self.sent = sent or Sent(taken=True, attempts=1)

    async def flaw(self, address: Secret) -> Reason | None:
        is_refused = address.reveal() == "nonsense"
        return Reason(ReasonCode.CHANNEL_ADDRESS, {"field": "address"}) if is_refused else None

    async def send(self, address: Secret, message: Mapping[str, Any], *, is_test: bool) -> Sent:
        self.addresses.append(address.reveal())
        self.messages.put_nowait(message)
        return replace(self.sent, attempts=1 if is_test else self.sent.attempts)


class MemoryStore:
    """Channels in memory."""

    def __init__(self, *channels: ChannelRecord) -> None:
        self.channels: Sequence[ChannelRecord] = channels

    async def read(self, pool_id: int) -> Sequence[ChannelRecord]:  # noqa: ARG002 - of one pool
        return self.channels

    async def change(
        self,
        pool_id: int,  # noqa: ARG002 - as above
        changed: Callable[[Sequence[ChannelRecord]], Sequence[ChannelRecord]],
    ) -> None:
        self.channels = changed(self.channels)


def webhook(sender: RecordingSender) -> ChannelSetup:
    """Return a setup with one channel of kind JSON."""
    record = ChannelRecord(1, "hook", ChannelKind.JSON, Secret(f"{ADDRESS}?token=very-secret"))
    return ChannelSetup(MemoryStore(record), {ChannelKind.JSON: sender})


@asynccontextmanager
async def opened(path: Path, gateway: FakeGateway, setup: ChannelSetup) -> AsyncIterator[tuple[Inspector, Channels]]:
    """Open the engine with channels."""
    with DataFolder.open(path) as folder:
        database = await Database.open(folder)
        inspector = Inspector(gateway, database, FlyingClock(), Redactor(), channels=setup)
        await inspector.open()
        assert inspector.channels is not None
        yield inspector, inspector.channels
        await inspector.close()
        await database.close()


async def checked(inspector: Inspector) -> int:
    """Inspect all keys, and return the number of the run."""
    return (await inspected(inspector, settings())).id
