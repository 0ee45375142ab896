"""The composition root: one connection to a gateway in, one ASGI application out."""

import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from random import SystemRandom
from secrets import token_hex

import structlog
from starlette.types import ASGIApp

from adapter.clock import Clock, SystemClock
from adapter.contract.expectations import PAGE
from adapter.port import Connection
from adapter.privacy.secret import Redactor, Secret
from extension.api.application import guarded
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.key_fingerprint import HeldKeyFingerprint, KeyFingerprint, StoredKeyFingerprint
from extension.api.auth.sessions import Sessions
from extension.api.paths import Paths
from extension.api.services import Services
from extension.api.streams.fan_out import FanOut
from extension.engine.inspector import Inspector
from extension.engine.notifications.notifier import WebhookConfig
from extension.engine.notifications.webhook_client import Webhook
from extension.inspection.requests.vendors import Vendors
from extension.serving.gateway_notice import gateway_noticed
from extension.serving.logs import configure_logs
from extension.serving.release import service_version
from extension.serving.service_file import RunningService, announce, withdraw
from extension.serving.settings.service_settings import ServiceSettings, state_folder
from extension.serving.settings.settings_file import read_settings_file
from extension.serving.settings.sources import MANAGEMENT_KEY, gather
from extension.serving.web.headers import Headers
from extension.serving.web.listening import listening_authority, service_address
from extension.serving.web.page import claims_page, page_application
from extension.serving.web.router import Router
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.installation import installation_key
from extension.store.notifications.webhook_address import WebhookAddress

GATEWAY_KEY = "MANAGEMENT_PASSWORD"
"""Environment variable in which the gateway accepts a management key."""
_HOUR_MS = 3_600_000

_log = structlog.get_logger("poolkeeper.serving")


def compose(
    connection: Connection,
    environment: Mapping[str, str] | None = None,
    *,
    clock: Clock | None = None,
    authority: Callable[[], str | None] = listening_authority,
    elsewhere: str = "",
    secrets: Iterable[Secret] = (),
    schedules: bool = True,
) -> ASGIApp:
    """Put the service in front of a gateway.

    The settings are read from `environment` (the process's unless given) and the file it names. The data folder is
    opened and the connection bound to the installation key at once, so that an error in either is reported before
    anything listens; database and engine open with the lifespan. `authority` finds out where the process listens.
    `elsewhere` is the address of a gateway that runs elsewhere: its configuration says nothing about this process.
    `secrets` are never to be logged. Without `schedules` no scheduled inspection starts.

    Raises:
        SettingInvalid: a setting is unknown or cannot be used.
        StoreError: the data folder cannot be used.
    """
    variables = os.environ if environment is None else environment
    gathered = gather(environment=variables, file=read_settings_file(variables))
    settings = gathered.settings
    redactor = Redactor([*secrets, *(variables[name] for name in (GATEWAY_KEY, MANAGEMENT_KEY) if variables.get(name))])
    configure_logs(settings.log_level, settings.log_format, redactor)
    for warning in gathered.warnings:
        _log.warning(warning)
    folder = DataFolder.open(settings.data_dir or state_folder(variables))
    try:
        connection.bind(installation_key(folder))
    except BaseException:
        folder.close()
        raise
    with_key = bool(variables.get(GATEWAY_KEY, "").strip())
    key_fingerprint = (
        HeldKeyFingerprint() if elsewhere else StoredKeyFingerprint(connection.gateway, environment_key=with_key)
    )
    return _Service(
        connection, settings, folder, redactor, clock or SystemClock(), authority, key_fingerprint, elsewhere, schedules
    ).front()


@dataclass(frozen=True, slots=True)
class _Service:
    """Everything the service is made of, before it is opened."""

    connection: Connection
    settings: ServiceSettings
    folder: DataFolder
    redactor: Redactor
    clock: Clock
    authority: Callable[[], str | None]
    key_fingerprint: KeyFingerprint
    elsewhere: str
    schedules: bool

    def front(self) -> ASGIApp:
        """Put the front together; its lifespan opens and closes the rest."""
        page = Headers(page_application(self.settings.prefix, self.key_fingerprint), self.clock)
        paths = Paths.under(self.settings.prefix)
        return Router(self._open, paths.contains, page, claims_page, self.connection.fallback)

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[ASGIApp]:
        async with AsyncExitStack() as opened:
            opened.callback(self.folder.close)
            opened.push_async_callback(self.connection.close)
            database = await Database.open(self.folder, self.clock)
            opened.push_async_callback(database.close)
            vendors = Vendors(self.settings.vendor_stand_in)
            inspector = Inspector(
                self.connection.gateway,
                database,
                self.clock,
                self.redactor,
                vendors=vendors,
                keep_runs=self.settings.keep_runs,
                keep_bytes=self.settings.keep_megabytes * 1_000_000,
                webhook=self._webhook(),
            )
            await inspector.open(schedules=self.schedules)
            opened.push_async_callback(inspector.close)
            await self._announce(opened)
            if self.elsewhere:
                await opened.enter_async_context(gateway_noticed(self.connection.gateway, _log))
            yield Headers(guarded(self._services(inspector)), self.clock)

    def _webhook(self) -> WebhookConfig:
        configured = Secret(self.settings.webhook) if self.settings.webhook else None
        return WebhookConfig(Webhook(self.clock, SystemRandom()), WebhookAddress(self.folder), configured)

    def _services(self, inspector: Inspector) -> Services:
        sessions = Sessions(self.clock, round(self.settings.session_hours * _HOUR_MS))
        return Services(
            inspector=inspector,
            streams=FanOut(inspector, self.clock),
            authenticator=Authenticator(self.connection.gateway, self.key_fingerprint, sessions),
            clock=self.clock,
            prefix=self.settings.prefix,
            version=service_version(),
            reads_per_second=self.settings.reads_per_second,
            started=token_hex(8),
            settings=self.settings.as_answered(self.folder.path),
        )

    async def _announce(self, opened: AsyncExitStack) -> None:
        """Keep service.json for the command line for as long as the service runs."""
        found = self.authority()
        if found is None:
            _log.warning("it is not known where this process listens: give the command line --server ADDRESS")
            return
        address = f"http://{found}" if self.elsewhere else await service_address(self.connection.gateway, found)
        announce(self.folder.path, RunningService(address, self.settings.prefix, os.getpid(), self.elsewhere))
        opened.callback(withdraw, self.folder.path, os.getpid())
        _log.info("inspection page", address=f"{address}{PAGE}")
