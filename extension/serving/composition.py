"""The composition root: one connection to a gateway in, one ASGI application out."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import structlog
from starlette.types import ASGIApp

from adapter.clock import Clock, SystemClock
from adapter.contract.expectations import PAGE
from adapter.port import Connection
from adapter.privacy.secret import Redactor, Secret
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.key_fingerprint import (
    HeldKeyFingerprint,
    KeyFingerprint,
    StoredKeyFingerprint,
    fingerprint_of,
)
from extension.api.auth.stream_guard import StreamGuard
from extension.api.paths import Paths
from extension.engine.inspector import Inspector
from extension.engine.leadership import Leadership
from extension.engine.prices.public_list_client import ADDRESSES
from extension.engine.usage.service import UsageService
from extension.prices.price import PriceSource
from extension.serving.assembly import Assembly
from extension.serving.gateway_notice import gateway_noticed
from extension.serving.logs import configure_logs
from extension.serving.service_file import RunningService, announce, withdraw
from extension.serving.settings.service_settings import state_folder
from extension.serving.settings.settings_file import read_settings_file
from extension.serving.settings.sources import MANAGEMENT_KEY, gather
from extension.serving.shared_service import SharedService
from extension.serving.storage.inspection_off import inspection_off
from extension.serving.storage.store_opening import (
    KEY_BYTES,
    StoreFaults,
    every_fault,
    folder_of,
    installation_of,
    no_fault,
)
from extension.serving.web.headers import Headers
from extension.serving.web.listening import listening_authority, service_address
from extension.serving.web.own_credentials import WithoutOwnCredentials
from extension.serving.web.page import claims_page, page_application
from extension.serving.web.replaceable import Replaceable, ended
from extension.serving.web.router import Router
from extension.store.database.database import Database
from extension.store.database.opening import storage_of
from extension.store.errors import StoreError
from extension.store.installations import require_key
from extension.store.integrity import Integrity, recovery

GATEWAY_KEY = "MANAGEMENT_PASSWORD"
"""Environment variable in which the gateway accepts a management key."""
_HOUR_MS = 3_600_000
_EXAMINED_SECONDS = 10.0

_log = structlog.get_logger("poolkeeper.serving")


def compose(
    connection: Connection,
    environment: Mapping[str, str] | None = None,
    *,
    clock: Clock | None = None,
    authority: Callable[[], str | None] = listening_authority,
    elsewhere: str = "",
    secrets: Sequence[Secret] = (),
    schedules: bool = True,
    page: str = PAGE,
    price_lists: Mapping[PriceSource, str] = ADDRESSES,
    ends_at: StoreFaults = no_fault,
) -> ASGIApp:
    """Put the service in front of a gateway.

    The settings are read from `environment` (the process's unless given) and the file it names. The data folder is
    opened and the connection bound to the installation key at once, so that an error in either is reported before
    anything listens; database and engine open with the lifespan. `authority` finds out where the process listens.
    `elsewhere` is the address of a gateway that runs elsewhere: its configuration says nothing about this process.
    `secrets` are never to be logged. Without `schedules` no scheduled inspection starts. `page` is the path of the
    page at that place. `price_lists` are the only addresses that price lists are fetched from. `ends_at` says of which
    errors of the store the start ends, because the caller tries again; a service goes on without inspection otherwise.

    Raises:
        SettingInvalid: a setting is unknown or cannot be used.
        StoreError: the data folder cannot be used.
    """
    variables = os.environ if environment is None else environment
    gathered = gather(environment=variables, file=read_settings_file(variables))
    settings = gathered.settings
    given = (
        *(variables.get(name, "") for name in (GATEWAY_KEY, MANAGEMENT_KEY)),
        settings.metrics_token,
        settings.database_url,
        unquote(urlsplit(settings.database_url).password or ""),
    )
    redactor = Redactor([*secrets, *(secret for secret in given if secret)])
    configure_logs(settings.log_level, settings.log_format, redactor)
    for warning in gathered.warnings:
        _log.warning(warning)
    ends = ends_at if schedules else every_fault
    folder, fault = folder_of(settings.data_dir or state_folder(variables), ends)
    try:
        installation = os.urandom(KEY_BYTES)
        if fault is None:
            installation, fault = installation_of(folder, ends, local=not settings.database_url)
        connection.bind(installation)
    except BaseException:
        folder.close()
        raise
    key_fingerprint = _key_fingerprint(connection, installation, variables, secrets if elsewhere else None)
    assembly = Assembly(connection, settings, folder, redactor, clock or SystemClock(), installation, price_lists)
    return _Service(assembly, authority, key_fingerprint, elsewhere, schedules, page, ends, fault).front()


def _key_fingerprint(
    connection: Connection, installation: bytes, variables: Mapping[str, str], held: Sequence[Secret] | None
) -> KeyFingerprint:
    if held is not None:
        mark = fingerprint_of(installation, "\0".join(secret.reveal() for secret in held))
        return HeldKeyFingerprint(connection.gateway, mark)
    given = variables.get(GATEWAY_KEY, "").strip()
    mark = fingerprint_of(installation, given) if given else ""
    return StoredKeyFingerprint(connection.gateway, secret=installation, environment_key=mark)


@dataclass(frozen=True, slots=True)
class _Service:
    """Everything the service is made of, before it is opened."""

    assembly: Assembly
    authority: Callable[[], str | None]
    key_fingerprint: KeyFingerprint
    elsewhere: str
    schedules: bool
    page: str
    ends_at: StoreFaults
    fault: StoreError | None = None

    def front(self) -> ASGIApp:
        """Put the front together; its lifespan opens and closes the rest."""
        page = Headers(page_application(self.assembly.settings.prefix, self.key_fingerprint), self.assembly.clock)
        paths = Paths.under(self.assembly.settings.prefix)
        fallback = WithoutOwnCredentials(self.assembly.connection.fallback)
        release = self.assembly.folder.close
        return Router(self._open, paths.contains, page, claims_page, fallback, release=release)

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[ASGIApp]:
        async with AsyncExitStack() as opened:
            opened.push_async_callback(self.assembly.connection.close)
            authenticator = self.assembly.authenticator(self.key_fingerprint)
            served = Replaceable()
            try:
                if self.fault is not None:
                    raise self.fault
                await self._open_database(served, opened, authenticator)
            except StoreError as fault:
                if self.ends_at(fault):
                    raise
                self._switch_off(served, fault, authenticator)
            await self._announce(opened)
            if self.elsewhere:
                await opened.enter_async_context(gateway_noticed(self.assembly.connection.gateway, _log))
            yield Headers(served, self.assembly.clock)

    async def _open_database(self, served: Replaceable, opened: AsyncExitStack, authenticator: Authenticator) -> None:
        assembly = self.assembly
        address = Secret(assembly.settings.database_url) if assembly.settings.database_url else None
        storage = storage_of(assembly.folder, address)
        database = await Database.open(assembly.folder, assembly.clock, storage)
        opened.push_async_callback(database.close)
        if storage.shared:
            now = assembly.clock.now_ms()
            await database.write(lambda transaction: require_key(transaction, assembly.installation, now))
            leadership = Leadership(database, assembly.clock, self.authority() or "")
            shared = SharedService(assembly, database, authenticator, served, leadership)
            await shared.open(opened, schedules=self.schedules)
            return
        integrity = Integrity.of(assembly.folder)
        inspector = await assembly.inspector(database, opened, schedules=self.schedules)
        usage = await assembly.usage(database, opened, collect=self.schedules)
        served.application = assembly.application(inspector, usage, database, authenticator)
        watching = asyncio.create_task(self._watch(served, integrity, database, (inspector, usage), authenticator))
        opened.push_async_callback(ended, watching)

    async def _watch(
        self,
        served: Replaceable,
        integrity: Integrity,
        database: Database,
        parts: Sequence[Inspector | UsageService],
        authenticator: Authenticator,
    ) -> None:
        """Switch inspection off when a file or table of the data folder goes missing."""
        while (fault := await integrity.fault(database)) is None:
            await self.assembly.clock.sleep(_EXAMINED_SECONDS)
        self._switch_off(served, fault, authenticator)
        for part in parts:
            await part.close()

    def _switch_off(self, served: Replaceable, fault: StoreError, authenticator: Authenticator) -> None:
        _log.error("inspection is off; the gateway serves inference", reason=str(fault), recovery=recovery(fault))
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
