"""Tables of the settings of the service and of an inspection."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import annotated_types
import click
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from extension.cli.parsing.settings_options import HELP
from extension.cli.program import poolkeeper
from extension.inspection.policy.strategy import STRATEGIES
from extension.inspection.settings import InspectionSettings, RealtimeAutoActions
from extension.serving.settings.service_settings import ServiceSettings, meaning_of
from extension.serving.settings.sources import ENVIRONMENT_PREFIX

from .sources import code, codes, table

_DEFAULTS: Final[Mapping[str, str]] = {
    "data_dir": "`poolkeeper/` beside config.yaml; with `gateway` `poolkeeper/HOST-PORT` below the user's state folder",
}
_LIMITS: Final[Mapping[str, str]] = {
    "prefix": "a lower-case letter, then up to 31 of `a`-`z`, `0`-`9`, `-`",
    "database_url": "`postgresql://USER:PASSWORD@HOST/NAME`, or empty",
    "metrics_token": "16 to 200 printable characters, or empty",
    "vendor_stand_in": "http or https URL, or empty",
    "gateway": "http or https URL",
    "trusted_proxies": "IP addresses and networks, with commas between",
    "group_roles": "`GROUP=ROLE`, with commas between; roles are `viewer`, `operator`, `admin`",
    "hosts": "names, with commas between, or empty",
    "listen": "`HOST:PORT`; port 0 takes a free one",
    "data_dir": "folder",
    "target_type": "up to 100 characters",
    "provider_filter": "up to 200 characters",
    "probe_model": "up to 200 characters",
}
"""Limits that the model states as a pattern or a length."""


def service() -> str:
    """Return the settings of the service."""
    command = poolkeeper.get_command(click.Context(poolkeeper), "serve")
    options = {param.name: param.opts[0] for param in command.params if param.name} if command else {}
    rows = (
        (
            code(name),
            code(f"{ENVIRONMENT_PREFIX}{name.upper()}"),
            code(options.get(name, "")) or "none",
            _DEFAULTS.get(name, "") or _default(field),
            _limits(name, field),
            meaning_of(name),
        )
        for name, field in ServiceSettings.model_fields.items()
    )
    return table(("Setting", "Environment", "Option of `serve`", "Default", "Values", "Meaning"), rows)


def inspection() -> str:
    """Return the settings of an inspection, in the groups of the command line."""
    fields = dict(InspectionSettings.model_fields)
    del fields["realtime_auto_actions"]  # its own fields stand in its place
    rows = []
    for name, help_of in HELP.items():
        inner = name.removeprefix("realtime_")
        is_nested = name.startswith("realtime_")
        field = RealtimeAutoActions.model_fields[inner] if is_nested else fields[name]
        spelled = f"realtimeAutoActions.{to_camel(inner)}" if is_nested else to_camel(name)
        rows.append((help_of.group, code(spelled), _default(field), _limits(name, field), help_of.text))
    return table(("Group", "Setting", "Default", "Values", "Meaning"), rows)


def automatic_actions() -> str:
    """Return the action of each mode for each recommendation."""
    scope = {None: "all", True: "enabled accounts", False: "disabled accounts"}
    rows = (
        (code(source), code(mode), row.disable or "", row.delete or "", row.enable or "", scope[row.probes])
        for (source, mode), row in STRATEGIES.items()
    )
    return table(("Source", "Mode", "disable", "delete", "enable", "Checked"), rows)


def _default(field: FieldInfo) -> str:
    value = field.default.value if isinstance(field.default, StrEnum) else field.default
    named = {True: "true", False: "false", "": "empty", None: "unset"}
    return named[value] if isinstance(value, bool | str | None) and value in named else code(value)


def _limits(name: str, field: FieldInfo) -> str:
    kind: Any = field.annotation
    if name in _LIMITS:
        return _LIMITS[name]
    if kind is bool:
        return "`true`, `false`"
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return codes(kind)
    if hasattr(kind, "__args__"):
        return codes(value for value in kind.__args__ if isinstance(value, str))
    least = next((f"{x.ge:,}" for x in field.metadata if isinstance(x, annotated_types.Ge)), "")
    above = next((f"more than {x.gt:,}" for x in field.metadata if isinstance(x, annotated_types.Gt)), "")
    most = next((f"{x.le:,}" for x in field.metadata if isinstance(x, annotated_types.Le)), "")
    return f"{least or above} to {most}"
