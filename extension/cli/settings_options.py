"""One option for every setting of an inspection, made from the settings themselves."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

import click
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from extension.inspection.settings import InspectionSettings, RealtimeAutoActions

_Command = TypeVar("_Command", bound=Callable[..., Any])
_NESTED = "realtime_auto_actions"
_NESTED_PREFIX = "realtime_"

HELP: Mapping[str, str] = {
    "account_source": "Which accounts: OAuth files or API keys.",
    "target_type": "Type of the OAuth files, or family of the API keys.",
    "api_key_family": "Family of the API keys; the same as --target-type.",
    "provider_filter": "Only API keys with this text in provider, label, name, address or file.",
    "probe_model": "Model of chat probes; empty is the family's default.",
    "probe_prompt_mode": "What chat probes ask.",
    "models_path": "Path of the list of models below a base address.",
    "auto_action_mode": "What the run does by itself.",
    "realtime_disable": "Apply a disable recommendation right after its probe.",
    "realtime_enable": "Apply an enable recommendation right after its probe.",
    "realtime_delete": "Apply a delete recommendation right after its probe; never for API keys.",
    "decision_policy": "How verdicts become recommendations.",
    "on_quota": "For 402 and 429, under the configurable policy.",
    "on_server_error": "For 5xx, under the configurable policy.",
    "workers": "Most probes at a time.",
    "timeout_seconds": "How long a probe may take.",
    "retries": "How often a probe without an answer is repeated.",
    "host_limit": "Most probes of one host at a time; 0 is as many as there are workers.",
    "sample_size": "Probe a random sample of this size; 0 is every account.",
    "evidence_first": "Do not probe accounts whose own traffic went well.",
    "short_window_percent": "Use at which an OAuth quota of up to a day counts as used up; 0 is never.",
    "long_window_percent": "Use at which a longer OAuth quota counts as used up; 0 is never.",
    "brake": "Hold what hits most accounts of one host.",
    "brake_share": "Share of a host's accounts at which the brake holds.",
    "brake_minimum": "Probes of a host before the brake judges.",
    "family_default_address": "Probe vendor keys without an address at the vendor's public one.",
    "preview_characters": "Longest preview of an answer that is kept.",
}


def setting_options(command: _Command) -> _Command:
    """Add the options; each is None unless given, so that the service decides the defaults."""
    for name, field in reversed(_fields().items()):
        command = click.option(f"--{_spelled(name, field)}", name, **_shape(name, field))(command)
    return command


def given_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """Put the options that were given under the names the service knows."""
    given = {name: values[name] for name in _fields() if values.get(name) is not None}
    nested = {
        name.removeprefix(_NESTED_PREFIX): given.pop(name) for name in tuple(given) if name.startswith(_NESTED_PREFIX)
    }
    settings = {to_camel(name): value for name, value in given.items()}
    return {**settings, to_camel(_NESTED): nested} if nested else settings


def _fields() -> dict[str, FieldInfo]:
    fields: dict[str, FieldInfo] = {}
    for name, field in InspectionSettings.model_fields.items():
        if name == _NESTED:
            nested = RealtimeAutoActions.model_fields.items()
            fields |= {f"{_NESTED_PREFIX}{inner}": inner_field for inner, inner_field in nested}
        else:
            fields[name] = field
    return fields


def _spelled(name: str, field: FieldInfo) -> str:
    words = name.replace("_", "-")
    return f"{words}/--no-{words}" if field.annotation is bool else words


def _shape(name: str, field: FieldInfo) -> dict[str, Any]:
    """Tell click what kind of value an option has, and what it is when left out."""
    kind: Any = field.annotation
    default = field.default.value if isinstance(field.default, StrEnum) else field.default
    shown = (
        {True: "on", False: "off", "": "empty"}.get(default, default) if isinstance(default, bool | str) else default
    )
    shape: dict[str, Any] = {"default": None, "help": f"{HELP[name]} [default: {shown}]"}
    if kind is bool:
        return shape
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {**shape, "type": click.Choice([member.value for member in kind])}
    return {**shape, "type": kind if kind in {int, float} else str}
