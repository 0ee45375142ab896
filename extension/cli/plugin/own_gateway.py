"""Recognition of the gateway of this repository, which starts the process itself and loads no library."""

import asyncio
from pathlib import Path
from typing import Final

from adapter.management.client.http import AddressInvalid, HttpTransport
from adapter.privacy.secret import Secret
from adapter.rules.config_text import section
from extension.cli.plugin.running_gateway import GatewayRefused, GatewaySilent, OwnGateway, RunningGateway
from extension.plugin.install.config_edit import PLUGIN
from extension.plugin.install.gateway_folder import GatewayFolder
from extension.plugin.install.placement import key_path

_ANY_HOST: Final = frozenset({"", "0.0.0.0", "::", "[::]"})  # noqa: S104 - compared, not listened at


def refuse_own_gateway(place: GatewayFolder, key: str | None, *, to_load: bool = False) -> str:
    """Refuse a folder of our own gateway; return why the key was not verified, empty when it was or there is none.

    One that is `to_load` the library is refused, too, where its release is too old for that.

    The running gateway is asked where the key is known: a stock gateway counts a request without one as an attempt.

    Raises:
        OwnGateway: the folder is, or the running gateway says so.
        GatewayRefused: the running gateway refuses the key, or is too old.
    """
    address = configured_address(place)
    if key and address:
        try:
            asyncio.run(_asked(HttpTransport(address, Secret(key)), to_load=to_load))
        except (GatewaySilent, AddressInvalid):
            pass
        except ValueError as error:
            raise GatewayRefused(str(error)) from None
        else:
            return ""
    if mark := own_mark(place):
        raise OwnGateway(f"{mark} belongs to the gateway of Poolkeeper.", from_folder=True)
    return f"no gateway answers at {address or 'the address in config.yaml'}" if key else ""


def own_mark(place: GatewayFolder) -> Path | None:
    """Return the file that shows our own gateway: its lock, or a configuration that starts the process without library.

    `plugin install` names its own key file, and the section of a stock gateway otherwise comes with a library.
    """
    lock = place.config.resolve().with_name(f".{place.config.resolve().name}.lock")
    if lock.is_file():
        return lock
    settings = section(place.values, "plugins", "configs", PLUGIN)
    key_file = str(settings.get("management-key-file") or "")
    named = bool(key_file) and Path(key_file).name != key_path(place.config).name
    libraries = any(place.plugins.glob(f"{PLUGIN}*"))
    return place.config if settings.get("command") and named and not libraries else None


def configured_address(place: GatewayFolder) -> str:
    """Return the address at which the gateway of a configuration listens on this machine; empty when it names none."""
    port, host = place.values.get("port"), str(place.values.get("host") or "").strip()
    if not isinstance(port, int) or not port:
        return ""
    host = "127.0.0.1" if host in _ANY_HOST else f"[{host}]" if ":" in host else host
    secure = section(place.values, "tls").get("enable") is True
    return f"{'https' if secure else 'http'}://{host}:{port}"


async def _asked(transport: HttpTransport, *, to_load: bool) -> None:
    async with RunningGateway(transport) as gateway:
        await (gateway.require_release() if to_load else gateway.state())
