"""The service as it opens: with its store, or without one until that can be used.

Theory of operation. One task opens the store and holds it open until the end of the service. A store that cannot be
used at the start (no room, no access, a server that is away) leaves the service without inspection: own paths say why,
and the task tries again with a data folder opened anew.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace

import structlog
from starlette.types import ASGIApp

from adapter.privacy.secret import Secret
from extension.api.auth.key_fingerprint import KeyFingerprint
from extension.api.auth.sessions import listed
from extension.api.auth.stream_guard import StreamGuard
from extension.api.paths import Paths
from extension.engine.dispatch.direct import DirectDispatch
from extension.engine.inspector import Inspector
from extension.engine.usage.service import UsageService
from extension.serving.assembly import Assembly, ended
from extension.serving.fleet.console import FleetConsole
from extension.serving.gateway_notice import gateway_noticed, warn_of_open_inference
from extension.serving.release import service_version
from extension.serving.service_file import RunningService, announce, withdraw
from extension.serving.shared_service import SharedService
from extension.serving.store_faults import StoreFaults, StoreRetry, every_fault, inspection_off, installation_of
from extension.serving.web.headers import Headers
from extension.serving.web.listening import service_address
from extension.serving.web.page import claims_page, page_application
from extension.serving.web.router import Router, not_ready
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.opening import server_storage
from extension.store.database.sqlite import SQLiteStorage
from extension.store.errors import DatabaseUnavailable, InstallationKeyLost, StoreError
from extension.store.installation import KEY_FILE, require_key
from extension.store.integrity import RECOVERY, Integrity, may_pass, recovery

_EXAMINED_SECONDS = 10.0

_log = structlog.get_logger("poolkeeper.serving")


@dataclass(frozen=True, slots=True)
class Service:
    """Everything the service is made of, before it is opened; `key_fingerprint` makes one for an installation key."""

    assembly: Assembly
    authority: Callable[[], str | None]
    key_fingerprint: Callable[[bytes], KeyFingerprint]
    elsewhere: str
    schedules: bool
    page: str
    ends_at: StoreFaults
    fault: StoreError | None = None
    is_fleet: bool = False
    """True for a console of the gateways that the database names."""

    def front(self) -> ASGIApp:
        """Put the front together; its lifespan opens and closes the rest."""
        page = Headers(page_application(self.assembly.settings.prefix, self._fingerprint()), self.assembly.clock)
        paths = Paths(self.assembly.settings.prefix)
        release = self.assembly.folder.close
        fallback = self.assembly.connection.fallback
        hosts = listed(self.assembly.settings.hosts.lower())
        return Router(self._open, paths.contains, page, claims_page, fallback, hosts=hosts, release=release)

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[ASGIApp]:
        served, settled = Headers(not_ready, self.assembly.clock), asyncio.Event()
        async with AsyncExitStack() as opened:
            opened.push_async_callback(self.assembly.connection.close)
            keeping = asyncio.create_task(self._keep_store(served, settled))
            opened.push_async_callback(_ended_with_its_error, keeping)
            waiting = asyncio.create_task(settled.wait())
            await asyncio.wait({keeping, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if keeping.done():
                keeping.result()
            if self.elsewhere and not self.is_fleet:
                await opened.enter_async_context(gateway_noticed(self.assembly.connection.gateway, _log))
            elif not self.is_fleet:
                await warn_of_open_inference(self.assembly.connection.gateway, _log)
            yield served

    def _fingerprint(self) -> KeyFingerprint:
        return self.key_fingerprint(self.assembly.installation)

    async def _keep_store(self, served: Headers, settled: asyncio.Event) -> None:
        """Hold the store open. While it cannot be used, say why, and try again for as long as its fault may pass.

        Raises StoreError: it cannot be opened at the start, and the start ends at this fault.
        """
        retry, fault = StoreRetry(), self.fault
        async with AsyncExitStack() as announced:
            while True:
                first = not settled.is_set()
                try:
                    async with AsyncExitStack() as opened:
                        service = self if first else self._renewed(opened)
                        await service._open_database(served, opened)  # noqa: SLF001 - another one of this class
                        if not first:
                            _log.info("inspection is on: the store can be used again")
                        await service._announce(opened)  # noqa: SLF001 - as above
                        settled.set()
                        await asyncio.Event().wait()
                except StoreError as error:
                    if _is_canceled() or (first and self.ends_at(error)):
                        raise
                    if first or str(error) != str(fault):
                        self._switch_off(served, error)
                    fault = error
                except Exception:
                    if first or _is_canceled():
                        raise
                    _log.exception("the store did not open")  # the next try may find its cause gone
                if first:
                    await self._announce(announced)
                    settled.set()
                if fault is not None and not may_pass(fault):
                    await asyncio.Event().wait()
                await self.assembly.clock.sleep(retry.next_pause())

    def _renewed(self, opened: AsyncExitStack) -> "Service":
        """Return the service with its data folder opened anew, which closes with `opened`.

        Raises StoreError: the folder cannot be used.
        """
        assembly = self.assembly
        assembly.folder.close()
        folder = DataFolder.open(assembly.folder.path)
        opened.callback(folder.close)
        installation, _ = installation_of(folder, every_fault, local=not assembly.settings.database_url)
        try:
            assembly.connection.bind(installation)
        except ValueError:
            raise InstallationKeyLost(f"{KEY_FILE} was replaced while the service ran. {RECOVERY}") from None
        return replace(self, assembly=replace(assembly, folder=folder, installation=installation), fault=None)

    async def _open_database(self, served: Headers, opened: AsyncExitStack) -> None:
        if self.fault is not None:
            raise self.fault
        assembly, authenticator = self.assembly, self.assembly.authenticator(self._fingerprint())
        address = Secret(assembly.settings.database_url) if assembly.settings.database_url else None
        server = None if address is None else server_storage(address)
        storage = server or SQLiteStorage(assembly.folder)
        database = await Database.open(assembly.folder, assembly.clock, storage)
        # Ended last: what waits for a server that does not answer would hold the end of the service.
        opened.push_async_callback(ended, asyncio.create_task(database.watch()))
        opened.push_async_callback(database.close)
        trying = asyncio.create_task(database.health.keep_trying(database.prove, assembly.clock))
        opened.push_async_callback(ended, trying)
        if server is not None:
            now = assembly.clock.now_ms()
            await database.write(lambda transaction: require_key(transaction, assembly.installation, now))
            kind = FleetConsole if self.is_fleet else SharedService
            shared = kind(assembly, database, server, authenticator, served, self.authority() or "")
            await shared.open(opened, schedules=self.schedules)
            return
        integrity = Integrity.of(assembly.folder)
        inspector = await assembly.inspector(database, opened, schedules=self.schedules)
        usage = await assembly.usage(database, opened, collect=self.schedules)
        dispatch = DirectDispatch(database, assembly.clock, lambda _: inspector, version=service_version())
        served.inside = assembly.application(inspector, usage, database, authenticator, dispatch)
        watching = asyncio.create_task(self._watch(served, integrity, database, (inspector, usage)))
        opened.push_async_callback(ended, watching)

    async def _watch(
        self, served: Headers, integrity: Integrity, database: Database, parts: Sequence[Inspector | UsageService]
    ) -> None:
        """Switch inspection off when a file or table of the data folder goes missing."""
        while (fault := await integrity.fault(database)) is None:
            with suppress(DatabaseUnavailable):  # the health of the database says so until there is room
                await database.prove_room()
            await self.assembly.clock.sleep(_EXAMINED_SECONDS)
        self._switch_off(served, fault)
        for part in parts:
            await part.close()

    def _switch_off(self, served: Headers, fault: StoreError) -> None:
        _log.error("inspection is off; the gateway serves inference", reason=str(fault), recovery=recovery(fault))
        authenticator = self.assembly.authenticator(self._fingerprint())
        streams = StreamGuard(authenticator, self.assembly.clock)
        served.inside = inspection_off(fault, authenticator, streams, Paths(self.assembly.settings.prefix))

    async def _announce(self, opened: AsyncExitStack) -> None:
        """Keep service.json for the command line for as long as the service runs."""
        if (authority := self.authority()) is None:
            _log.warning("it is not known where this process listens: give the command line --server ADDRESS")
            return
        address = (
            f"http://{authority}"
            if self.elsewhere or self.is_fleet
            else await service_address(self.assembly.connection.gateway, authority)
        )
        folder = self.assembly.folder.path
        service = RunningService(address, self.assembly.settings.prefix, os.getpid(), self.elsewhere)
        try:
            announce(folder, service)
            opened.callback(withdraw, folder, os.getpid())
        except OSError as error:
            _log.warning("the command line does not find this service: give it --server ADDRESS", reason=error.strerror)
        _log.info("inspection page", address=f"{address}{self.page}")


async def _ended_with_its_error(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()


def _is_canceled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
