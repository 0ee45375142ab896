"""Console of a fleet: it serves the pools of all gateways, and works on its share of them."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from extension.api.auth.authenticator import Authenticator
from extension.serving.assembly import Assembly, ended
from extension.serving.fleet.engines import FleetEngines
from extension.serving.fleet.labels import StoredLabels
from extension.serving.fleet.pools import FleetPools
from extension.serving.shared_service import shared_dispatch
from extension.serving.web.headers import Headers
from extension.store.database.database import Database
from extension.store.fleet import gateways
from extension.store.operators import operators

if TYPE_CHECKING:
    from extension.store.database.postgresql import PostgreSQLStorage

_log = structlog.get_logger("poolkeeper.fleet")


@dataclass(frozen=True, slots=True)
class FleetConsole:
    """One of several processes on the database of a fleet."""

    assembly: Assembly
    database: Database
    storage: "PostgreSQLStorage"
    authenticator: Authenticator
    served: Headers
    address: str

    async def open(self, opened: AsyncExitStack, *, schedules: bool) -> None:
        """Serve, and visit gateways beside the workers there are, until `opened` closes.

        Without `schedules` it visits none.
        """
        engines = await FleetEngines.open(self.assembly, self.database)
        opened.push_async_callback(engines.close)
        dispatch = await shared_dispatch(
            self.assembly, self.database, self.storage, gateways=gateways.sizes, address=self.address
        )
        pools = FleetPools(engines, await self._judge(), dispatch)
        opened.push_async_callback(pools.close)
        await pools.refresh()
        self.served.inside = pools
        opened.push_async_callback(ended, asyncio.create_task(pools.follow()))
        if schedules:
            opened.push_async_callback(ended, asyncio.create_task(dispatch.serve(engines.visit())))

    async def _judge(self) -> Authenticator:
        """Return the judge of requests: the operators there are at the start, else the console's own key."""
        if await self.database.read(operators.everyone):
            labels, key_fingerprint = StoredLabels(self.database), self.authenticator.key_fingerprint
            return self.assembly.fleet_authenticator(key_fingerprint, self.database, labels)
        _log.warning("no operator yet: the key of this console allows everything", next="poolkeeper operator init")
        return self.authenticator
