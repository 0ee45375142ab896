"""Sources of settings: flag, then environment, then file, then `plugins.configs.poolkeeper`, then the default."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from adapter.rules.config_text import ConfigTextInvalid, config_values, section
from extension.serving.errors import SettingInvalid
from extension.serving.settings.service_settings import ServiceSettings
from extension.store.regular_file import read_regular_text
from extension.texts.catalogue import VARIABLE as LANGUAGE

ENVIRONMENT_PREFIX = "POOLKEEPER_"
"""Prefix of our environment variables."""
SETTINGS_FILE = f"{ENVIRONMENT_PREFIX}SETTINGS"
"""Environment variable that names a settings file (TOML)."""
MANAGEMENT_KEY = f"{ENVIRONMENT_PREFIX}MANAGEMENT_KEY"
"""Environment variable of the command line's management key."""
PASSPHRASE = f"{ENVIRONMENT_PREFIX}PASSPHRASE"
"""Environment variable of the passphrase of a stored management key."""
SERVER = f"{ENVIRONMENT_PREFIX}SERVER"
"""Environment variable of the command line's address of the service."""
PLUGIN = "poolkeeper"
"""Our name below `plugins.configs` of config.yaml."""

_NO_SETTINGS = frozenset({SETTINGS_FILE, MANAGEMENT_KEY, PASSPHRASE, SERVER, LANGUAGE})
_OF_THE_HOST = frozenset({"enabled", "priority", "store"})
_PATTERN = "string_pattern_mismatch"
_WANTED = {
    "prefix": "must be 1 to 32 lowercase letters, digits and hyphens, and begin with a letter",
    "database_url": "must be an address such as postgresql://user:password@host/name, without spaces",
    "metrics_token": "must have 16 to 200 visible ASCII characters, without spaces",
    "hosts": "must list names such as poolkeeper.example.org, with commas between",
    "vendor_stand_in": "must be an address such as http://127.0.0.1:9000, without a query",
}
"""Forms of settings that have a pattern. A value is never repeated: it may hold a password."""
NAMES = tuple(ServiceSettings.model_fields)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The effective settings, and warnings about those that were ignored."""

    settings: ServiceSettings
    warnings: tuple[str, ...] = ()


_COMMAND_LINE = "the command line"


def gather(
    *,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    file: Mapping[str, Any] | None = None,
    plugin: Mapping[str, Any] | None = None,
) -> Gathered:
    """Put the sources together; the first that names a setting decides it.

    `environment` is a process environment, of which only our own variables count. `file` holds the values of a settings
    file, `plugin` those below `plugins.configs.poolkeeper`; both may write names with hyphens.

    Raises:
        SettingInvalid: a name is unknown or a value cannot be used. In `plugin` an unknown name is only warned about.
    """
    plugin_values, warnings = _plugin_values(plugin or {})
    sources: Sequence[tuple[str, Mapping[str, Any]]] = (
        (_COMMAND_LINE, {name: value for name, value in (flags or {}).items() if value is not None}),
        ("the environment", _environment_values(environment or {})),
        ("the settings file", _file_values(file or {})),
        (f"plugins.configs.{PLUGIN}", plugin_values),
    )
    values: dict[str, Any] = {}
    origin: dict[str, str] = {}
    for source, source_values in sources:
        for name in source_values.keys() - values.keys():
            values[name], origin[name] = source_values[name], source
    try:
        return Gathered(ServiceSettings(**values), warnings)
    except ValidationError as error:
        raise _invalid(error, origin) from None


def read_settings_file(environment: Mapping[str, str]) -> dict[str, Any]:
    """Read the settings file that the environment names; no values when it names none.

    Raises SettingInvalid: it cannot be read or is not TOML.
    """
    name = environment.get(SETTINGS_FILE, "")
    if not name:
        return {}
    try:
        text = read_regular_text(Path(name))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingInvalid(
            f"The settings file {name} cannot be read: {reason}. Correct --settings ({SETTINGS_FILE}) or the file."
        ) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingInvalid(
            f"The settings file {name} is not valid TOML: {error}. Correct it and start again."
        ) from None


def plugin_section(text: str) -> dict[str, Any]:
    """Read `plugins.configs.poolkeeper` from the text of a config.yaml.

    A text that is not valid yields nothing: the gateway, whose file it is, reports the error.
    """
    try:
        values = section(config_values(text), "plugins", "configs", PLUGIN)
    except ConfigTextInvalid:
        return {}
    return {str(name): value for name, value in values.items()}


def as_environment(settings: ServiceSettings) -> dict[str, str]:
    """Write settings as environment variables, so that `gather` reads the same from them."""
    values = settings.model_dump(mode="json", exclude_none=True)
    return {_variable(name): str(value) for name, value in values.items()}


def _environment_values(environment: Mapping[str, str]) -> dict[str, str]:
    ours = {name: value for name, value in environment.items() if name.startswith(ENVIRONMENT_PREFIX)}
    by_variable = {_variable(name): name for name in NAMES}
    for variable in sorted(ours.keys() - by_variable.keys() - _NO_SETTINGS):
        raise SettingInvalid(
            f"The environment variable {variable} is no setting. Unset it, or use one of {', '.join(by_variable)}."
        )
    return {by_variable[variable]: value for variable, value in ours.items() if variable in by_variable}


def _file_values(file: Mapping[str, Any]) -> dict[str, Any]:
    values = {name.replace("-", "_"): value for name, value in file.items()}
    for name in sorted(values.keys() - set(NAMES)):
        raise SettingInvalid(f"The settings file has no setting {name!r}. Remove it, or use one of {', '.join(NAMES)}.")
    return values


def _plugin_values(plugin: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    values = {name.replace("-", "_"): value for name, value in plugin.items() if name not in _OF_THE_HOST}
    unknown = sorted(values.keys() - set(NAMES))
    warnings = tuple(
        f"plugins.configs.{PLUGIN}.{name} in config.yaml is no setting and is ignored; use one of {', '.join(NAMES)}."
        for name in unknown
    )
    return {name: value for name, value in values.items() if name in NAMES}, warnings


def _variable(name: str) -> str:
    return f"{ENVIRONMENT_PREFIX}{name.upper()}"


def _invalid(error: ValidationError, origin: Mapping[str, str]) -> SettingInvalid:
    detail = error.errors(include_url=False)[0]
    name = str(detail["loc"][0])
    message = _WANTED.get(name) if detail["type"] == _PATTERN else None
    message = message or detail["msg"].removeprefix("Input ")
    source = origin.get(name, _COMMAND_LINE)
    option = f"--{name.replace('_', '-')}"
    subject = f"The option {option}" if source == _COMMAND_LINE else f"The setting {name} from {source}"
    return SettingInvalid(f"{subject} cannot be used: it {message}.")
