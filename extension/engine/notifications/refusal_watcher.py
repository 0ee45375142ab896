"""Refusal watcher: a log line and a notification when the gateway bans this service or refuses its key."""

from typing import Final

import structlog

from adapter.clock import Clock
from adapter.port import Gateway, GatewayError
from extension.engine.notifications.channels import Channels
from extension.engine.notifications.messages import refused
from extension.store.errors import StoreError

LOOK_SECONDS: Final = 5.0
_LOG = structlog.get_logger("poolkeeper.notify")


class RefusalWatcher:
    """Looks at the connection, which sends nothing for it, and reports each refusal once."""

    def __init__(self, gateway: Gateway, channels: Channels | None, clock: Clock) -> None:
        self._gateway = gateway
        self._channels = channels
        self._clock = clock
        self._reported: GatewayError | None = None

    async def follow(self) -> None:
        """Look until canceled."""
        while True:
            await self.look()
            await self._clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Report a new refusal; a delivery that cannot be stored is not repeated."""
        refusal, before = self._gateway.refusal(), self._reported
        self._reported = refusal
        if refusal is None and before is not None:
            _LOG.info("the gateway may be asked again")
        if refusal is None or refusal is before:
            return
        _LOG.error("the gateway refuses this service, and nothing is sent to it", reason=refusal.text)
        try:
            if self._channels is not None:
                await self._channels.send(refused(refusal))
        except StoreError as error:
            _LOG.warning("notification-not-sent", error=str(error))
