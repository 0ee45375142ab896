"""One option for every setting of an inspection, derived from the settings model, and a check of the given values."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

import click
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import option
from extension.cli.parsing.value_types import FamilyType, SuggestingChoice
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family
from extension.inspection.settings import InspectionSettings, RealtimeAutoActions, SettingsError, parse_settings

_Function = TypeVar("_Function", bound=Callable[..., Any])
_NESTED: Final = "realtime_auto_actions"
_NESTED_PREFIX: Final = "realtime_"
_SOURCE, _TYPE, _FAMILY = to_camel("account_source"), to_camel("target_type"), to_camel("api_key_family")


class _Help(NamedTuple):
    group: str
    text: str


_SCOPE, _CHECKS, _RATE = "Scope", "Checks", "Concurrency"
_POLICY, _ACTIONS, _BREAKER = "Recommendations", "Automatic actions", "Circuit breaker"

HELP: Final[Mapping[str, _Help]] = {
    "account_source": _Help(_SCOPE, "OAuth files or API keys."),
    "api_key_family": _Help(_SCOPE, "Family of the API keys; selects the source api_key."),
    "target_type": _Help(_SCOPE, "Type of the OAuth files, such as claude; for API keys the family."),
    "provider_filter": _Help(_SCOPE, "Only API keys with this text in provider, label, name, URL, key hint or place."),
    "sample_size": _Help(_SCOPE, "Check a random sample of this size; 0 checks every account."),
    "evidence_first": _Help(_SCOPE, "Skip accounts with healthy traffic."),
    "evidence_checks": _Help(_CHECKS, "Compare answers with those to a wrong key; off judges by status alone."),
    "check_depth": _Help(_CHECKS, "Accept the key (connectivity), or send a minimal chat too (usable)."),
    "probe_model": _Help(_CHECKS, "Model of chat requests; empty is the default of the family."),
    "probe_prompt_mode": _Help(_CHECKS, "Prompt of chat requests."),
    "models_path": _Help(_CHECKS, "Path of the model list below a base URL."),
    "family_default_address": _Help(_CHECKS, "Check keys without a base URL at the public one of the vendor."),
    "timeout_seconds": _Help(_CHECKS, "Timeout of a request."),
    "retries": _Help(_CHECKS, "Retries of a request without an answer."),
    "preview_characters": _Help(_CHECKS, "Longest stored preview of an answer."),
    "workers": _Help(_RATE, "Max concurrency."),
    "host_limit": _Help(_RATE, "Max concurrency per host; 0 sets no limit of its own."),
    "decision_policy": _Help(_POLICY, "Disable on any failure (first_phase), or custom (configurable)."),
    "on_quota": _Help(_POLICY, "Recommendation for 402 and 429 under the custom policy."),
    "on_server_error": _Help(_POLICY, "Recommendation for 5xx under the custom policy."),
    "short_window_percent": _Help(_POLICY, "Use that exhausts an OAuth quota of up to a day; 0 ignores it."),
    "long_window_percent": _Help(_POLICY, "Use that exhausts a longer OAuth quota; 0 ignores it."),
    "auto_action_mode": _Help(_ACTIONS, "Recommendations that the run applies by itself."),
    "realtime_disable": _Help(_ACTIONS, "Disable immediately after the check."),
    "realtime_enable": _Help(_ACTIONS, "Enable immediately after the check."),
    "realtime_delete": _Help(_ACTIONS, "Delete immediately after the check; never applies to API keys."),
    "brake": _Help(_BREAKER, "Put actions on hold when most accounts of a host fail alike."),
    "brake_share": _Help(_BREAKER, "Share of a host's checks that opens the breaker."),
    "brake_minimum": _Help(_BREAKER, "Checks of a host before the breaker can open."),
    "disable_limit": _Help(_BREAKER, "Share of the enabled accounts that one run may disable automatically."),
    "disable_minimum": _Help(_BREAKER, "Accounts that one run may disable whatever disableLimit says."),
    "keep_at_least": _Help(_BREAKER, "Enabled accounts of each host that automation keeps; 1 for a schedule."),
}
"""Group and help of each setting, in the order of the help."""

_SPELLINGS: Final[Mapping[str, str]] = {"api_key_family": "family"}


def setting_options(function: _Function) -> _Function:
    """Declare the options; each is None unless given, because defaults belong to the service."""
    return _declared(function, {})


def setting_options_of_both_sources(function: _Function) -> _Function:
    """Declare the options for a command that inspects both sources unless one is named."""
    return _declared(function, {"account_source": "both"})


def _declared(function: _Function, defaults: Mapping[str, str]) -> _Function:
    for name in reversed(tuple(HELP)):
        field = _fields()[name]
        attributes = _attributes(name, field, defaults.get(name, _default(field)))
        function = option(*_declaration(name), **attributes)(function)
    return function


def given_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given options under the names of the service."""
    chosen = {name: values[name] for name in _fields() if values.get(name) is not None}
    nested = {
        name.removeprefix(_NESTED_PREFIX): chosen.pop(name) for name in tuple(chosen) if name.startswith(_NESTED_PREFIX)
    }
    settings = _scoped({to_camel(name): value for name, value in chosen.items()})
    return {**settings, to_camel(_NESTED): nested} if nested else settings


def overlaid(stored: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored settings with the given ones in their place.

    A change of the source drops the stored type and family, which belong to the former source. A type drops the stored
    family, which follows it.
    """
    unchanged = dict(stored)
    if changes.get(_SOURCE, unchanged.get(_SOURCE)) != unchanged.get(_SOURCE):
        unchanged = {name: value for name, value in unchanged.items() if name not in {_TYPE, _FAMILY}}
    elif _TYPE in changes:
        unchanged.pop(_FAMILY, None)
    nested = to_camel(_NESTED)
    merged = {**unchanged, **changes}
    if nested in changes:
        merged[nested] = {**unchanged.get(nested, {}), **changes[nested]}
    return merged


def flag_of(field: str) -> str | None:
    """Return the option for a field of the settings as the service names it, or None for an unknown field."""
    by_field = {to_camel(name): name for name in _fields()}
    nested = {f"{to_camel(_NESTED)}.{inner}": f"{_NESTED_PREFIX}{inner}" for inner in RealtimeAutoActions.model_fields}
    name = {**by_field, **nested}.get(field)
    return f"--{_spelled(name)}" if name else None


def _scoped(settings: dict[str, Any]) -> dict[str, Any]:
    """Let a family select API keys, and vendor names stand for families there."""
    family = settings.pop(_FAMILY, None)
    if family is not None:
        if settings.get(_SOURCE, Source.API_KEY) != Source.API_KEY:
            raise click.UsageError("--family selects API keys. Name the type of OAuth files with --target-type.")
        if _TYPE in settings and _token(settings[_TYPE]) != family:
            raise click.UsageError("--family and --target-type contradict each other. Give one of them.")
        return {**settings, _SOURCE: Source.API_KEY.value, _TYPE: family}
    if settings.get(_SOURCE) == Source.API_KEY and _TYPE in settings:
        return {**settings, _TYPE: _token(settings[_TYPE])}
    return settings


def _token(text: str) -> str:
    try:
        return FamilyType().convert(text, None, None)
    except click.BadParameter as error:
        error.param_hint = "'--target-type'"
        raise


def _fields() -> dict[str, FieldInfo]:
    fields: dict[str, FieldInfo] = {}
    for name, field in InspectionSettings.model_fields.items():
        if name == _NESTED:
            nested = RealtimeAutoActions.model_fields.items()
            fields |= {f"{_NESTED_PREFIX}{inner}": inner_field for inner, inner_field in nested}
        else:
            fields[name] = field
    return fields


def _spelled(name: str) -> str:
    return _SPELLINGS.get(name, name).replace("_", "-")


def _declaration(name: str) -> tuple[str, str]:
    words = _spelled(name)
    spelling = f"--{words}/--no-{words}" if _fields()[name].annotation is bool else f"--{words}"
    return spelling, name


def _attributes(name: str, field: FieldInfo, default: object) -> dict[str, Any]:
    kind: Any = field.annotation
    group, text = HELP[name]
    attributes: dict[str, Any] = {"default": None, "group": group, "help": f"{text} [default: {default}]"}
    if kind is bool:
        return attributes
    if kind is Family:
        return {**attributes, "type": FamilyType()}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {**attributes, "type": SuggestingChoice([member.value for member in kind])}
    return {**attributes, "type": kind if kind in {int, float} else str}


def _default(field: FieldInfo) -> object:
    default = field.default.value if isinstance(field.default, StrEnum) else field.default
    named = {True: "on", False: "off", "": "empty"}
    return named.get(default, default) if isinstance(default, bool | str) else default


def require_valid(settings: Mapping[str, Any]) -> None:
    """Check settings against the rules of the service."""
    try:
        parse_settings(settings)
    except SettingsError as error:
        message = str(error).removeprefix(f"{error.field}: ")
        raise CommandError(f"{flag_of(error.field) or error.field}: {message} Correct it, or leave it out.") from None


def option_of(field: str) -> str:
    """Return the option or prompt for a field of a request; the field itself where no command has one."""
    return _OTHER.get(field) or flag_of(field) or field


def with_flag(text: str) -> str:
    """Name the option instead of the field in a refusal of the service."""
    field, colon, rest = text.partition(": ")
    flag = option_of(field)
    if not colon or flag == field:
        return text
    return f"{flag}: {rest.replace(f'Correct {field}', 'Correct it').replace(' in the body.', '.')}"


_OTHER: Final[Mapping[str, str]] = {
    "name": "NAME",
    "intervalMinutes": "--every",
    "jitterMinutes": "--jitter",
    "cron": "--cron",
    "timeZone": "--time-zone",
    "address": "Address",
    "acceptLoss": "--accept-loss",
}
"""Option or prompt for each field that a command sends besides the settings."""
