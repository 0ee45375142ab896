"""Engines of the gateways of a fleet: from a row to an open inspector, in a console and in a worker alike.

A key that a gateway has refused is recorded at once, and no process sends it again: every process would otherwise
spend one of the five tries after which a gateway bans an address.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import structlog

from adapter.port.errors import Unauthorised
from adapter.privacy.secret import Redactor
from extension.engine.dispatch.inspector_visit import InspectorVisit, OpenedEngine
from extension.engine.dispatch.tenure import Tenure
from extension.engine.fleet.errors import GatewayFieldUnfit, GatewayUnknown
from extension.engine.fleet.keys import GatewayKeys
from extension.engine.measurements import FigureWriter
from extension.serving.assembly import Assembly, ended
from extension.serving.fleet.connector import ManagementConnector
from extension.serving.worker import WorkerTask
from extension.store.database.database import Database
from extension.store.errors import SealBroken, StoreError
from extension.store.fleet import gateways
from extension.store.fleet.gateways import GatewayRecord
from extension.store.sealing import Seal

KEY_FILE: Final = "fleet.key"
"""Name of the file whose key seals the keys of gateways; it is in no backup."""
KEYS_FOLDER: Final = "keys"
_DOCKER_SECRETS: Final = Path("/run/secrets")
_CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""Environment variable of systemd with the folder of a service's credentials."""
_LOOK_SECONDS: Final = 2.0
_REFUSED: Final = "invalid management key"
"""Words of a gateway that refuses a key."""

_log = structlog.get_logger("poolkeeper.fleet")


class FleetEngines:
    """Opens the engines of gateways by their rows."""

    def __init__(
        self, assembly: Assembly, database: Database, keys: GatewayKeys, connector: ManagementConnector
    ) -> None:
        self.assembly = assembly
        self.database = database
        self.keys = keys
        self.connector = connector
        self._notes: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, assembly: Assembly, database: Database) -> "FleetEngines":
        """Return the engines with the keys of this process.

        Raises StoreError: `fleet.key` cannot be used, or is missing though keys are sealed with it.
        """
        rows = await database.read(gateways.every)
        seal = seal_of(assembly, make=not any(row.key_sealed is not None for row in rows))
        credentials = os.environ.get(_CREDENTIALS, "")
        folders = [assembly.folder.path / KEYS_FOLDER, _DOCKER_SECRETS]
        folders += [Path(credentials)] if credentials else []
        keys = GatewayKeys(seal, os.environ, folders)
        return cls(assembly, database, keys, ManagementConnector(assembly.installation))

    def assembly_of(self, gateway: GatewayRecord) -> Assembly:
        """Return the collaborators of a gateway; its connection sends nothing before its first use.

        Raises EngineError or ValueError: there is no usable key for it in this process.
        """
        try:
            key = self.keys.of(gateway)
        except SealBroken as error:
            raise GatewayFieldUnfit("key", str(error), "Give the gateway its key again.") from None
        connection, mark = self.connector.lasting(gateway.url, key, gateway.ca), self.keys.mark(key)
        if gateway.key_refused and gateway.refused_mark == mark:
            text = f"The gateway {gateway.name} has refused its management key, which is not sent again."
            connection.client.stop(Unauthorised(text), _REFUSED)
        else:
            connection.client.proof.on_refusal(partial(self._note_refusal, gateway, mark))
        redactor = Redactor([*self.assembly.redactor.secrets, key])
        return replace(self.assembly, connection=connection, redactor=redactor, pool=gateway.name)

    def visit(self) -> InspectorVisit:
        """Return the visits of a process that works on the fleet."""
        return InspectorVisit(self.database, self.assembly.clock, self._visited)

    @asynccontextmanager
    async def _visited(self, number: int, tenure: Tenure) -> AsyncIterator[OpenedEngine]:
        gateway = await self.database.read(gateways.by_number, number)
        if gateway is None or not gateway.enabled:
            raise GatewayUnknown(str(number), ())
        async with AsyncExitStack() as opened:
            assembly = self.assembly_of(gateway)
            opened.push_async_callback(assembly.connection.close)
            opened.push_async_callback(ended, asyncio.create_task(self._leave_when_changed(gateway, tenure)))
            inspector = await assembly.inspector(
                self.database, opened, schedules=True, fence=tenure.require, in_fleet=True
            )
            usage = await assembly.usage(self.database, opened, collect=True)
            figures = FigureWriter(inspector, self.database.fenced(tenure.require), assembly.clock)
            opened.push_async_callback(figures.close)
            opened.push_async_callback(ended, asyncio.create_task(figures.follow()))
            _log.info("this process works on the gateway", gateway=gateway.name)
            yield OpenedEngine(inspector, lambda: usage.collector.status.recording is True)

    async def _leave_when_changed(self, gateway: GatewayRecord, tenure: Tenure) -> None:
        """End the visit once the gateway has another address or key, is disabled, or has refused its key."""
        row: GatewayRecord | None = gateway
        while row is not None and connected_by(row) == connected_by(gateway):
            await self.assembly.clock.sleep(_LOOK_SECONDS)
            with suppress(StoreError):
                row = await self.database.read(gateways.by_number, gateway.pool_id)
        tenure.leave()

    def _note_refusal(self, gateway: GatewayRecord, mark: str) -> None:
        _log.warning("the gateway refuses its management key, which is not sent again", gateway=gateway.name)
        task = asyncio.create_task(self._store_refusal(gateway.pool_id, mark))
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _store_refusal(self, number: int, mark: str) -> None:
        while True:
            try:
                await self.database.write(gateways.note_refusal, number, mark)
            except StoreError:
                await self.assembly.clock.sleep(_LOOK_SECONDS)
            else:
                return

    async def close(self) -> None:
        """Stop recording."""
        for task in tuple(self._notes):
            await ended(task)


def connected_by(gateway: GatewayRecord) -> tuple[int, bool, str]:
    """Return the part of a row that its connection depends on."""
    return gateway.revision, gateway.enabled, gateway.refused_mark


def key_file_of(chosen: Path | None, folder: Path) -> Path:
    """Return the key file of the fleet: that of the settings, else a credential of systemd, else the data folder's."""
    credential = Path(os.environ.get(_CREDENTIALS) or "/nonexistent") / KEY_FILE
    return chosen or (credential if credential.exists() else folder / KEY_FILE)


def seal_of(assembly: Assembly, *, make: bool) -> Seal:
    """Return the seal of the fleet; only the file of the data folder is made where it is missing, with `make`."""
    path = key_file_of(assembly.settings.fleet_key_file, assembly.folder.path)
    is_own = path == assembly.folder.path / KEY_FILE
    return Seal.of_file(path, make=make and is_own, private=is_own)


async def fleet_work(assembly: Assembly, database: Database) -> WorkerTask:
    """Return the work on all gateways of the fleet."""
    engines = await FleetEngines.open(assembly, database)
    return WorkerTask(engines.visit(), gateways.sizes)
