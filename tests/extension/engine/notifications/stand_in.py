"""Webhook transport and address store in memory, and the engine with them."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapter.fake import FakeGateway
from adapter.privacy.secret import Redactor, Secret
from extension.engine.inspector import Inspector
from extension.engine.notifications.notifier import Notifier, WebhookConfig
from extension.engine.notifications.webhook_client import ATTEMPTS, Sent
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from tests.extension.engine.scenario import FlyingClock

PLACE = "http://127.0.0.1:9/hook"


class Posted:
    """Keeps what it is given, and takes it or not."""

    def __init__(self, sent: Sent | None = None) -> None:
        self.messages: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        self.addresses: list[str] = []
        self.sent = sent or Sent(taken=True, attempts=1)

    async def post(self, address: Secret, message: Mapping[str, Any], attempts: int = ATTEMPTS) -> Sent:
        self.addresses.append(address.reveal())
        self.messages.put_nowait(message)
        return replace(self.sent, attempts=min(self.sent.attempts, attempts))


class Kept:
    """Keeps an address in memory."""

    def __init__(self, address: str = "") -> None:
        self.address = address

    def read(self) -> Secret | None:
        return Secret(self.address) if self.address else None

    def write(self, address: Secret | None) -> None:
        self.address = address.reveal() if address else ""


@asynccontextmanager
async def opened(path: Path, gateway: FakeGateway, webhook: WebhookConfig) -> AsyncIterator[tuple[Inspector, Notifier]]:
    """Open the engine with a webhook."""
    with DataFolder.open(path) as folder:
        database = await Database.open(folder)
        inspector = Inspector(gateway, database, FlyingClock(), Redactor(), webhook=webhook)
        await inspector.open()
        assert inspector.notifier is not None
        yield inspector, inspector.notifier
        await inspector.close()
        await database.close()
