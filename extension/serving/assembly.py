"""Collaborators of the HTTP interface, made from a connection, settings and a data folder."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from random import SystemRandom
from secrets import token_hex
from typing import Any, Final

from starlette.types import ASGIApp

from adapter.clock import Clock
from adapter.port import Connection, GatewayError
from adapter.privacy.secret import Redactor, Secret
from extension.api.application import guarded
from extension.api.auth.auth_proxy import AuthProxy
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.fleet_access import FleetAccess, PoolLabels
from extension.api.auth.key_fingerprint import KeyFingerprint
from extension.api.auth.sessions import SecureCookies, Sessions
from extension.api.metrics.monitoring import Monitoring
from extension.api.paths import Paths
from extension.api.services import FleetServices, Services
from extension.api.streams.fan_out import FanOut
from extension.engine.budgets.watcher import BudgetWatcher
from extension.engine.dispatch.port import Dispatch
from extension.engine.inspector import Inspector
from extension.engine.measurements import MeasurementReader
from extension.engine.notifications.channels import ChannelSetup, Sender
from extension.engine.notifications.quota_watcher import QuotaWatcher
from extension.engine.notifications.refusal_watcher import RefusalWatcher
from extension.engine.notifications.senders import AppriseClient, WebhookClient
from extension.engine.operators.audit import AuditLog
from extension.engine.operators.operators import Operators
from extension.engine.prices.aliases import Aliases
from extension.engine.prices.prices import Prices
from extension.engine.prices.public_list_client import PublicListClient
from extension.engine.usage.service import UsageLimits, UsageService
from extension.inspection.requests.vendors import Vendors
from extension.prices.price import PriceSource
from extension.serving.release import service_version
from extension.serving.settings.service_settings import ServiceSettings
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.deleted_files import CopySetup, prune
from extension.store.errors import StoreError
from extension.store.notifications.channels import ChannelKind, SealedChannels
from extension.store.sealing import Seal
from extension.store.session_file import SessionFile
from extension.usage.record_reading import UsageFingerprints

_HOUR_SECONDS = 3600.0


async def ended(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _prune(database: Database, clock: Clock) -> None:
    """Remove the copies of deleted auth files when their 30 days are over, every hour."""
    while True:
        # The next hour tries again.
        with suppress(StoreError):
            await prune(database, clock)
        await clock.sleep(_HOUR_SECONDS)


FIRST_READING: Final = "first reading of the pool"
"""Name of the task that reads."""


def read_ahead(inspector: Inspector) -> asyncio.Task[None]:
    """Begin to read the pool, so that the first sign-in does not wait for it.

    The first reading of ten thousand accounts takes seconds: every entry is recognized, redacted and stored. A gateway
    or store that cannot be read now is read later.
    """

    async def read() -> None:
        with suppress(GatewayError, StoreError):
            await inspector.overview.read()

    return asyncio.create_task(read(), name=FIRST_READING)


_HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Assembly:
    """Makes the collaborators; it opens nothing by itself.

    `installation` is the installation key, from which fingerprints of client keys derive.
    """

    connection: Connection
    settings: ServiceSettings
    folder: DataFolder
    redactor: Redactor
    clock: Clock
    installation: bytes
    price_lists: Mapping[PriceSource, str]
    pool: str = "default"
    """Name of the pool of the connection."""

    def authenticator(self, key_fingerprint: KeyFingerprint) -> Authenticator:
        """Make the judge of requests, with the sessions of the data folder."""
        lifetime = round(self.settings.session_hours * _HOUR_MS)
        sessions = Sessions(self.clock, lifetime, SessionFile(self.folder))
        return Authenticator(self.connection.gateway, key_fingerprint, sessions)

    def fleet_authenticator(
        self, key_fingerprint: KeyFingerprint, database: Database, pools: PoolLabels
    ) -> Authenticator:
        """Make the judge of requests to a fleet: its operators, in a database that its consoles share."""
        judge, settings = self.authenticator(key_fingerprint), self.settings
        access = FleetAccess(
            Operators(database, self.clock),
            AuditLog(database, self.clock, self.redactor),
            judge.sessions,
            self.clock,
            pools=pools,
            paths=Paths(settings.prefix),
            proxy=AuthProxy.of(settings.trusted_proxies, settings.group_roles),
        )
        return replace(judge, access=access)

    async def inspector(
        self,
        database: Database,
        opened: AsyncExitStack,
        *,
        schedules: bool,
        fence: Callable[[Transaction], None] | None = None,
        standby: bool = False,
        in_fleet: bool = False,
    ) -> Inspector:
        """Open the engine until `opened` closes; without `schedules` no scheduled inspection starts.

        `fence` is checked in every transaction of the engine; on `standby` the engine only reads.
        `in_fleet` other gateways are witnesses.
        """
        senders: Mapping[ChannelKind, Sender] = {
            ChannelKind.APPRISE: AppriseClient(self.clock),
            ChannelKind.JSON: WebhookClient(self.clock, SystemRandom()),
        }
        seal = Seal(self.installation)
        opened.push_async_callback(ended, asyncio.create_task(_prune(database, self.clock)))
        inspector = Inspector(
            self.connection.gateway,
            database,
            self.clock,
            self.redactor,
            pool_name=self.pool,
            vendors=Vendors(self.settings.vendor_stand_in),
            keep_runs=self.settings.keep_runs,
            keep_bytes=self.settings.keep_megabytes * 1_000_000,
            channels=ChannelSetup(SealedChannels(database, seal, self.clock), senders),
            copies=CopySetup(seal, self.folder),
            fingerprints=UsageFingerprints(self.installation),
            fence=fence,
            in_fleet=in_fleet,
        )
        opened.push_async_callback(inspector.close)
        await (inspector.open_on_standby() if standby else inspector.open(schedules=schedules))
        if schedules and not standby:
            watcher = RefusalWatcher(self.connection.gateway, inspector.channels, self.clock)
            opened.push_async_callback(ended, asyncio.create_task(watcher.follow()))
            budgets = BudgetWatcher(
                inspector.budgets, inspector.channels, inspector.client_keys, inspector.automation, self.clock
            )
            opened.push_async_callback(ended, asyncio.create_task(budgets.follow()))
            if inspector.channels is not None:
                quotas = QuotaWatcher(database, self.clock, inspector.listing, inspector.channels)
                opened.push_async_callback(ended, asyncio.create_task(quotas.follow()))
            opened.push_async_callback(ended, read_ahead(inspector))
        return inspector

    def application(
        self,
        inspector: Inspector,
        usage: UsageService,
        database: Database,
        authenticator: Authenticator,
        dispatch: Dispatch,
        *,
        fleet: FleetServices | None = None,
    ) -> ASGIApp:
        """Make the guarded interface, with the paths of monitoring systems in front of it."""
        services = self._services(inspector, usage, database, authenticator, dispatch, fleet=fleet)
        token = Secret(self.settings.metrics_token) if self.settings.metrics_token else None
        return Monitoring(guarded(services), services, token)

    async def usage(self, database: Database, opened: AsyncExitStack, *, collect: bool) -> UsageService:
        """Open the usage half until `opened` closes; without `collect` it only reads what is stored."""
        usage = UsageService(
            self.connection.gateway,
            database,
            self.clock,
            self.redactor,
            pool_name=self.pool,
            installation_key=self.installation,
            limits=UsageLimits(self.settings.keep_usage_days, self.settings.keep_usage_megabytes * 1_000_000),
        )
        await usage.open(collect=collect)
        opened.push_async_callback(usage.close)
        return usage

    def entrance(self, authenticator: Authenticator, fleet: FleetServices | None = None) -> dict[str, Any]:
        """Return the fields of an `Entrance`."""
        settings = self.settings
        return {
            "authenticator": authenticator,
            "clock": self.clock,
            "prefix": settings.prefix,
            "version": service_version(),
            "secure_cookies": SecureCookies.of(
                always=settings.secure_cookies, trusted_proxies=settings.trusted_proxies
            ),
            "reads_per_second": settings.reads_per_second,
            "fleet": fleet,
        }

    def _services(
        self,
        inspector: Inspector,
        usage: UsageService,
        database: Database,
        authenticator: Authenticator,
        dispatch: Dispatch,
        *,
        fleet: FleetServices | None,
    ) -> Services:
        settings = self.settings
        lists = PublicListClient(self.connection.gateway, self.price_lists)
        fingerprints = UsageFingerprints(self.installation)
        return Services(
            gateway=self.connection.gateway,
            inspector=inspector,
            dispatch=dispatch,
            usage=usage,
            streams=FanOut(inspector.event_log, self.clock, database.health),
            prices=Prices(database, self.clock, lists),
            aliases=Aliases(database, self.clock, fingerprints),
            measurements=MeasurementReader(inspector, database),
            **self.entrance(authenticator, fleet),
            started=token_hex(8),
            settings=settings.as_answered(self.folder.path),
        )
