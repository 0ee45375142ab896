"""Check of inspection settings before a connection is made, with messages that name options."""

from collections.abc import Mapping
from typing import Any, Final

from extension.cli.errors import CommandError
from extension.cli.parsing.settings_options import flag_of
from extension.inspection.settings import SettingsError, parse_settings


def require_valid(settings: Mapping[str, Any]) -> None:
    """Check settings against the rules of the service.

    Raises:
        CommandError: a setting cannot be used; the message names its option.
    """
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
    advice = f"Correct {field}"
    return f"{flag}: {rest.replace(advice, f'Correct {flag}').replace(' in the body.', '.')}"


_OTHER: Final[Mapping[str, str]] = {
    "name": "NAME",
    "intervalMinutes": "--every",
    "jitterMinutes": "--jitter",
    "cron": "--cron",
    "timeZone": "--time-zone",
    "address": "Address",
}
"""Option or prompt for each field that a command sends besides the settings."""
