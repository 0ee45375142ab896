"""Scopes of an inspection: the sources that the given options select, each with its settings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import click

from extension.cli.errors import CommandError
from extension.cli.parsing.help_formatter import suggestion
from extension.cli.parsing.settings_options import given_settings, require_valid
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family
from extension.inspection.oauth.types import TYPES, UNPROBED

SOURCE_NAMES: Final[Mapping[str, str]] = {Source.OAUTH.value: "OAuth files", Source.API_KEY.value: "API keys"}
_KNOWN_TYPES: Final = (*TYPES, *UNPROBED)


def scopes(options: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    """Return the settings of each source to inspect: of the one named, else of every source that the options fit.

    A provider filter selects API keys. A type or a mode that one source does not know selects the other.
    """
    if options.get("account_source") or options.get("api_key_family"):
        settings = given_settings(options)
        require_valid(settings)
        return [settings]
    fitting, refusals = [], []
    for source in SOURCE_NAMES:
        if source == Source.OAUTH and options.get("provider_filter"):
            continue
        try:
            settings = given_settings({**options, "account_source": source})
            require_valid(settings)
        except (CommandError, click.BadParameter) as refusal:
            refusals.append(refusal)
            continue
        fitting.append(settings)
    if not fitting:
        raise refusals[0]
    return _of_known_type(fitting)


def is_known_type(file_type: str) -> bool:
    """Return whether a type of OAuth files is all, or one that a check is known for."""
    return file_type in {Family.ALL.value, *_KNOWN_TYPES}


def require_known_type(settings: Mapping[str, Any], in_pool: Callable[[], Iterable[str]]) -> None:
    """Refuse a type of OAuth files that is not known; called when the pool has no such file.

    `in_pool` reads the types that the pool has.
    """
    file_type = str(settings.get("targetType", Family.ALL.value))
    if settings.get("accountSource") != Source.OAUTH or is_known_type(file_type):
        return
    hint, types = suggestion(file_type, (*_KNOWN_TYPES, *Family)), ", ".join(sorted(set(in_pool())))
    there = f" Types in the pool: {types}." if types else " The pool has no OAuth files."
    raise CommandError(f"--target-type: {file_type!r} is neither a known type nor in the pool.{hint}{there}")


def _of_known_type(settings: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Drop the OAuth files where the type given is known as a family of API keys only."""
    fitting = [
        scope
        for scope in settings
        if scope["accountSource"] != Source.OAUTH or scope.get("targetType") in _OAUTH_TARGETS
    ]
    return fitting or settings


_OAUTH_TARGETS: Final = frozenset({None, Family.ALL.value, *_KNOWN_TYPES})
