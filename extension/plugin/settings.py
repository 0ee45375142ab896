"""Settings of the plugin, from `plugins.configs.poolkeeper` of the gateway's configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from adapter.privacy.secret import Secret
from adapter.rules.config_text import ConfigTextInvalid, config_values
from extension.plugin.management_key import KEY_NAME, KeySource
from extension.plugin.raw_json import SCHEMA
from extension.plugin.v1.plugin_pb2 import ConfigureRequest, HostInfo
from extension.serving.errors import SettingInvalid
from extension.serving.remote_gateway import remote_folder, remote_gateway_address
from extension.serving.settings.service_settings import DATA_FOLDER
from extension.serving.settings.sources import (
    ENVIRONMENT_PREFIX,
    MANAGEMENT_KEY,
    PLUGIN,
    as_environment,
    gather,
    read_settings_file,
)

GATEWAY_KEY: Final = "MANAGEMENT_PASSWORD"
"""Environment variable of the gateway's own key, for hosts that hand it on."""
_KEY_FILE: Final = "management-key-file"
_GATEWAY_URL: Final = "gateway-url"
_OF_THE_START: Final = frozenset({"command", "socket"})


_DATABASE_URL: Final = f"{ENVIRONMENT_PREFIX}DATABASE_URL"
_FROM_ENVIRONMENT: Final = (
    f"{_DATABASE_URL} is from the environment: after a change of it, restart the gateway (or `poolkeeper plugin serve`,"
    " where that was started by hand)."
)


@dataclass(frozen=True, slots=True)
class PluginSettings:
    """Effective settings: the gateway, the environment of the service, and the abilities of the host.

    The key is not among them, only its place: its file may change at any time.
    """

    address: str
    key: KeySource
    environment: Mapping[str, str] = field(repr=False)
    folder: Path
    prefix: str
    resource_base: str = ""
    raw_json: bool = True
    warnings: tuple[str, ...] = ()
    database_note: str = ""
    """Next step after a change of the database's address, where no later try helps; empty where one does."""


def read_settings(request: ConfigureRequest, environment: Mapping[str, str]) -> PluginSettings:
    """Read the settings that a host sends."""
    values = _given(request.settings_yaml)
    key_file, address = values.pop(_KEY_FILE, None), values.pop(_GATEWAY_URL, None)
    for name in _OF_THE_START:
        values.pop(name, None)
    gathered = gather(environment=environment, file=read_settings_file(environment), plugin=values)
    address = gathered.settings.gateway or address or request.host.gateway_url
    if not address:
        raise SettingInvalid(f"The address of the gateway is not known. Set plugins.configs.{PLUGIN}.{_GATEWAY_URL}.")
    address, key = remote_gateway_address(str(address)), _key(key_file, environment, request.host)
    folder = (gathered.settings.data_dir or _folder(request.host, environment, address)).absolute()
    settings = gathered.settings.model_copy(update={"data_dir": folder, "gateway": None})
    inherited = {name: value for name, value in environment.items() if name != GATEWAY_KEY}
    return PluginSettings(
        address,
        key,
        inherited | as_environment(settings),
        folder,
        settings.prefix,
        request.host.resource_base,
        request.host.schema >= SCHEMA or "raw-json" in request.host.capabilities,
        gathered.warnings,
        _FROM_ENVIRONMENT if environment.get(_DATABASE_URL) else "",
    )


def _given(text: bytes) -> dict[str, Any]:
    try:
        return {str(name): value for name, value in config_values(text.decode("utf-8")).items()}
    except (ConfigTextInvalid, UnicodeDecodeError):
        raise SettingInvalid(f"plugins.configs.{PLUGIN} is not valid YAML: correct it.") from None


def _key(key_file: object, environment: Mapping[str, str], host: HostInfo) -> KeySource:
    """Return the place of the management key for the loopback connection; a file comes first.

    The file of an installation stays when a running gateway removes the plugin, with the setting that named it.
    """
    if key_file:
        return KeySource(_path(key_file, host))
    key = environment.get(MANAGEMENT_KEY, "").strip() or environment.get(GATEWAY_KEY, "").strip()
    if not key and host.config_path and _path(KEY_NAME, host).is_file():
        return KeySource(_path(KEY_NAME, host))
    if not key:
        raise SettingInvalid(
            "The service has no management key. Write it into a file that only its user can read, and set"
            f" plugins.configs.{PLUGIN}.{_KEY_FILE}."
        )
    return KeySource(value=Secret(key))


def _path(key_file: object, host: HostInfo) -> Path:
    return Path(host.config_path or ".").parent / Path(str(key_file)).expanduser()


def _folder(host: HostInfo, environment: Mapping[str, str], address: str) -> Path:
    """Return the data folder beside the gateway's configuration, as for `poolkeeper serve`."""
    return Path(host.config_path).parent / DATA_FOLDER if host.config_path else remote_folder(environment, address)
