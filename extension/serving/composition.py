"""The composition root: one connection to a gateway in, one ASGI application out."""

import os
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import unquote

import structlog
from starlette.types import ASGIApp

from adapter.clock import SystemClock
from adapter.contract.expectations import PAGE
from adapter.port import Connection
from adapter.privacy.secret import Redactor, Secret
from extension.api.auth.key_fingerprint import HeldKeyFingerprint, KeyFingerprint, StoredKeyFingerprint, fingerprint_of
from extension.engine.prices.public_list_client import ADDRESSES
from extension.prices.price import PriceSource
from extension.serving.assembly import Assembly
from extension.serving.errors import SettingInvalid
from extension.serving.logs import configure_logs
from extension.serving.service import Service
from extension.serving.settings.service_settings import state_folder
from extension.serving.settings.sources import MANAGEMENT_KEY, gather, read_settings_file
from extension.serving.store_faults import KEY_BYTES, StoreFaults, every_fault, folder_of, installation_of, no_fault
from extension.serving.web.listening import listening_authority
from extension.store.errors import StoreError

GATEWAY_KEY = "MANAGEMENT_PASSWORD"
"""Environment variable in which the gateway accepts a management key."""

_log = structlog.get_logger("poolkeeper.serving")


def compose(
    connection: Connection,
    environment: Mapping[str, str] | None = None,
    *,
    authority: Callable[[], str | None] = listening_authority,
    elsewhere: str = "",
    secrets: Sequence[Secret] = (),
    schedules: bool = True,
    page: str = PAGE,
    price_lists: Mapping[PriceSource, str] = ADDRESSES,
    ends_at: StoreFaults = no_fault,
    is_fleet: bool = False,
) -> ASGIApp:
    """Put the service in front of a gateway.

    The settings are read from `environment` (the process's unless given) and the file it names. The data folder is
    opened and the connection bound to the installation key at once, so that an error in either is reported before
    anything listens; database and engine open with the lifespan. `authority` finds out where the process listens.
    `elsewhere` is the address of a gateway that runs elsewhere: its configuration says nothing about this process.
    `secrets` are never to be logged. Without `schedules` no scheduled inspection starts. `page` is the path of the
    page at that place. `price_lists` are the only addresses that price lists are fetched from. `ends_at` says of which
    errors of the store the start ends, because the caller tries again; a service goes on without inspection otherwise,
    and tries again by itself what may pass. With `is_fleet` it serves the gateways that the database names.

    Raises:
        SettingInvalid: a setting is unknown or cannot be used, or a fleet has no shared database.
        StoreError: the data folder cannot be used.
    """
    variables = os.environ if environment is None else environment
    ends = ends_at if schedules else every_fault
    assembly, fault = assemble(connection, variables, secrets=secrets, price_lists=price_lists, ends_at=ends)
    if is_fleet and not assembly.settings.database_url:
        assembly.folder.close()
        raise SettingInvalid("A fleet needs a PostgreSQL database: set POOLKEEPER_DATABASE_URL.")
    key_fingerprint = _key_fingerprints(connection, variables, secrets if elsewhere or is_fleet else None)
    return Service(assembly, authority, key_fingerprint, elsewhere, schedules, page, ends, fault, is_fleet).front()


def assemble(
    connection: Connection,
    variables: Mapping[str, str],
    *,
    secrets: Sequence[Secret] = (),
    price_lists: Mapping[PriceSource, str] = ADDRESSES,
    ends_at: StoreFaults,
) -> tuple[Assembly, StoreError | None]:
    """Read the settings, configure the log, open the data folder and bind the connection; return the collaborators.

    The error is that of a store that cannot be used, where the start does not end at it; otherwise as `compose`.
    """
    gathered = gather(environment=variables, file=read_settings_file(variables))
    settings = gathered.settings
    known_secrets = (
        *(variables.get(name, "") for name in (GATEWAY_KEY, MANAGEMENT_KEY)),
        settings.metrics_token,
        settings.database_url,
        # by hand, since what cannot be parsed holds a password as well
        unquote(settings.database_url.partition("//")[2].rpartition("@")[0].partition(":")[2]),
    )
    redactor = Redactor([*secrets, *(secret for secret in known_secrets if secret)])
    configure_logs(settings.log_level, settings.log_format, redactor)
    for warning in gathered.warnings:
        _log.warning(warning)
    folder, fault = folder_of(settings.data_dir or state_folder(variables), ends_at)
    try:
        installation = os.urandom(KEY_BYTES)
        if fault is None:
            installation, fault = installation_of(folder, ends_at, local=not settings.database_url)
        if fault is None:
            connection.bind(installation)
    except BaseException:
        folder.close()
        raise
    return Assembly(connection, settings, folder, redactor, SystemClock(), installation, price_lists), fault


def _key_fingerprints(
    connection: Connection, variables: Mapping[str, str], held_secrets: Sequence[Secret] | None
) -> Callable[[bytes], KeyFingerprint]:
    environment_key = variables.get(GATEWAY_KEY, "").strip()

    def made(installation: bytes) -> KeyFingerprint:
        if held_secrets is not None:
            mark = fingerprint_of(installation, "\0".join(secret.reveal() for secret in held_secrets))
            return HeldKeyFingerprint(connection.gateway, mark)
        mark = fingerprint_of(installation, environment_key) if environment_key else ""
        return StoredKeyFingerprint(connection.gateway, secret=installation, environment_key=mark)

    return made
