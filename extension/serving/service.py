"""The service as it opens: with its store, or without one until that can be used.

Theory of operation. A store that cannot be used at the start (no room, no access, a server that is away) leaves the
service without inspection: own paths say why. One task tries again, with a data folder opened anew, and holds the store
open until the end of the service.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace

import structlog
from starlette.types import ASGIApp

from adapter.privacy.secret import Secret
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.key_fingerprint import (
    KeyFingerprint,
)
from extension.api.auth.stream_guard import StreamGuard
from extension.api.paths import Paths
from extension.engine.inspector import Inspector
from extension.engine.leadership import Leadership
from extension.engine.usage.service import UsageService
from extension.serving.assembly import Assembly
from extension.serving.gateway_notice import gateway_noticed
from extension.serving.service_file import RunningService, announce, withdraw
from extension.serving.shared_service import SharedService
from extension.serving.storage.inspection_off import inspection_off
from extension.serving.storage.store_opening import (
    StoreFaults,
    every_fault,
    installation_of,
)
from extension.serving.storage.store_retry import StoreRetry
from extension.serving.web.headers import Headers
from extension.serving.web.listening import service_address
from extension.serving.web.own_credentials import WithoutOwnCredentials
from extension.serving.web.page import claims_page, page_application
from extension.serving.web.replaceable import Replaceable, ended
from extension.serving.web.router import Router
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.opening import storage_of
from extension.store.errors import DatabaseUnavailable, InstallationKeyLost, StoreError
from extension.store.installation import KEY_FILE
from extension.store.installations import require_key
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

    def front(self) -> ASGIApp:
        """Put the front together; its lifespan opens and closes the rest."""
        page = Headers(page_application(self.assembly.settings.prefix, self._fingerprint()), self.assembly.clock)
        paths = Paths.under(self.assembly.settings.prefix)
        fallback = WithoutOwnCredentials(self.assembly.connection.fallback)
        release = self.assembly.folder.close
        return Router(self._open, paths.contains, page, claims_page, fallback, release=release)

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[ASGIApp]:
        async with AsyncExitStack() as opened:
            opened.push_async_callback(self.assembly.connection.close)
            served = Replaceable()
            try:
                await self._open_store(served, opened)
            except StoreError as fault:
                if self.ends_at(fault):
                    raise
                self._switch_off(served, fault)
                opened.push_async_callback(ended, asyncio.create_task(self._try_again(served, fault)))
            await self._announce(opened)
            if self.elsewhere:
                await opened.enter_async_context(gateway_noticed(self.assembly.connection.gateway, _log))
            yield Headers(served, self.assembly.clock)

    def _fingerprint(self) -> KeyFingerprint:
        return self.key_fingerprint(self.assembly.installation)

    async def _open_store(self, served: Replaceable, opened: AsyncExitStack) -> None:
        """Open the database until `opened` closes; nothing of it stays open after an error."""
        if self.fault is not None:
            raise self.fault
        async with AsyncExitStack() as attempt:
            await self._open_database(served, attempt, self.assembly.authenticator(self._fingerprint()))
            opened.push_async_exit(attempt.pop_all())

    async def _try_again(self, served: Replaceable, fault: StoreError) -> None:
        """Open the store once its fault has passed, and hold it open; a damaged one has to be restored first."""
        retry = StoreRetry()
        while may_pass(fault):
            await self.assembly.clock.sleep(retry.next_pause())
            async with AsyncExitStack() as opened:
                try:
                    renewed = self._renewed(opened)
                    await renewed._open_store(served, opened)  # noqa: SLF001 - another one of this class
                except StoreError as found:
                    if str(found) != str(fault):
                        self._switch_off(served, found)
                    fault = found
                    continue
                except Exception:  # noqa: BLE001 - the next try may find its cause gone
                    _log.exception("the store did not open")
                    continue
                _log.info("inspection is on: the store can be used again")
                await renewed._announce(opened)  # noqa: SLF001 - as above
                await asyncio.Event().wait()

    def _renewed(self, opened: AsyncExitStack) -> "Service":
        """Return the service with its data folder opened anew, which closes with `opened`.

        Raises:
            StoreError: the folder cannot be used.
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

    async def _open_database(self, served: Replaceable, opened: AsyncExitStack, authenticator: Authenticator) -> None:
        assembly = self.assembly
        address = Secret(assembly.settings.database_url) if assembly.settings.database_url else None
        storage = storage_of(assembly.folder, address)
        database = await Database.open(assembly.folder, assembly.clock, storage)
        # Ended last: what waits for a server that does not answer would hold the end of the service.
        opened.push_async_callback(ended, asyncio.create_task(database.watch()))
        opened.push_async_callback(database.close)
        trying = asyncio.create_task(database.health.keep_trying(database.prove, assembly.clock))
        opened.push_async_callback(ended, trying)
        if storage.shared:
            now = assembly.clock.now_ms()
            await database.write(lambda transaction: require_key(transaction, assembly.installation, now))
            leadership = Leadership(database, assembly.clock, self.authority() or "")
            assembly.connection.guard_writes(lambda: leadership.is_certain)
            shared = SharedService(assembly, database, authenticator, served, leadership)
            await shared.open(opened, schedules=self.schedules)
            return
        integrity = Integrity.of(assembly.folder)
        inspector = await assembly.inspector(database, opened, schedules=self.schedules)
        usage = await assembly.usage(database, opened, collect=self.schedules)
        served.application = assembly.application(inspector, usage, database, authenticator)
        watching = asyncio.create_task(self._watch(served, integrity, database, (inspector, usage)))
        opened.push_async_callback(ended, watching)

    async def _watch(
        self,
        served: Replaceable,
        integrity: Integrity,
        database: Database,
        parts: Sequence[Inspector | UsageService],
    ) -> None:
        """Switch inspection off when a file or table of the data folder goes missing."""
        while (fault := await integrity.fault(database)) is None:
            with suppress(DatabaseUnavailable):  # the health of the database says so until there is room
                await database.prove_room()
            await self.assembly.clock.sleep(_EXAMINED_SECONDS)
        self._switch_off(served, fault)
        for part in parts:
            await part.close()

    def _switch_off(self, served: Replaceable, fault: StoreError) -> None:
        _log.error("inspection is off; the gateway serves inference", reason=str(fault), recovery=recovery(fault))
        authenticator = self.assembly.authenticator(self._fingerprint())
        streams = StreamGuard(authenticator, self.assembly.clock)
        served.application = inspection_off(fault, authenticator, streams, Paths.under(self.assembly.settings.prefix))

    async def _announce(self, opened: AsyncExitStack) -> None:
        """Keep service.json for the command line for as long as the service runs."""
        if (found := self.authority()) is None:
            _log.warning("it is not known where this process listens: give the command line --server ADDRESS")
            return
        address = (
            f"http://{found}" if self.elsewhere else await service_address(self.assembly.connection.gateway, found)
        )
        folder = self.assembly.folder.path
        service = RunningService(address, self.assembly.settings.prefix, os.getpid(), self.elsewhere)
        try:
            announce(folder, service)
            opened.callback(withdraw, folder, os.getpid())
        except OSError as error:
            _log.warning("the command line does not find this service: give it --server ADDRESS", reason=error.strerror)
        _log.info("inspection page", address=f"{address}{self.page}")
