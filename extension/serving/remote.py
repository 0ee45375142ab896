"""The service in front of a gateway elsewhere, over the gateway's management API."""

from collections.abc import Mapping

from starlette.types import ASGIApp

from adapter.contract.expectations import PAGE
from adapter.management import HttpTransport, ManagementConnection
from adapter.management.client.guarded_client import PATIENCE
from extension.serving.composition import compose
from extension.serving.errors import SettingInvalid
from extension.serving.remote_gateway import RemoteGateway
from extension.serving.server import outbound_within, raise_descriptor_limit
from extension.serving.store_faults import StoreFaults, no_fault


def remote_connection(gateway: RemoteGateway, *, patience: float = PATIENCE) -> ManagementConnection:
    """Make the connection to a remote gateway; nothing is sent before its first use.

    A read of a gateway that does not answer is repeated for `patience` seconds. Raises SettingInvalid: the key cannot
    be sent.
    """
    try:
        transport = HttpTransport(gateway.address, gateway.key, outbound_within(raise_descriptor_limit()))
        return ManagementConnection(gateway.address, gateway.key, transport=transport, patience=patience)
    except ValueError as error:
        raise SettingInvalid(str(error)) from None


def remote_application(
    gateway: RemoteGateway,
    environment: Mapping[str, str],
    authority: str,
    *,
    schedules: bool = True,
    page: str = PAGE,
    connection: ManagementConnection | None = None,
    ends_at: StoreFaults = no_fault,
) -> ASGIApp:
    """Compose the service in front of a remote gateway; it will be reached at `authority` (host:port).

    Without `schedules` it starts no scheduled inspection. `page` is the path of the page there. `connection` is one
    that was made for this gateway before. `ends_at` is as in `compose`.

    Raises:
        SettingInvalid: the key cannot be sent, or a setting cannot be used.
        StoreError: the data folder cannot be used.
    """
    return compose(
        connection or remote_connection(gateway),
        environment,
        authority=lambda: authority,
        elsewhere=gateway.address,
        secrets=[gateway.key],
        schedules=schedules,
        page=page,
        ends_at=ends_at,
    )
