"""Console of a fleet: it serves the pools of all gateways, and works on its share of them."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extension.api.auth.authenticator import Authenticator
from extension.serving.assembly import Assembly, ended
from extension.serving.fleet.engines import FleetEngines
from extension.serving.fleet.pools import FleetPools
from extension.serving.shared_service import shared_dispatch
from extension.serving.web.headers import Headers
from extension.store.database.database import Database
from extension.store.fleet import gateways

if TYPE_CHECKING:
    from extension.store.database.postgresql import PostgreSQLStorage


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
        pools = FleetPools(engines, self.authenticator, dispatch)
        opened.push_async_callback(pools.close)
        await pools.refresh()
        self.served.inside = pools
        opened.push_async_callback(ended, asyncio.create_task(pools.follow()))
        if schedules:
            opened.push_async_callback(ended, asyncio.create_task(dispatch.serve(engines.visit())))
