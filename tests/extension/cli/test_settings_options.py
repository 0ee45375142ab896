"""Every setting of an inspection can be given on the command line, and nothing else is sent."""

from typing import Any

import click
import pytest

from extension.cli.inspect import inspect
from extension.cli.settings_options import HELP, given_settings
from extension.inspection.settings import InspectionSettings, parse_settings

NOT_SETTINGS = {"as_json", "key_file", "config", "data_dir", "server", "gateway"}


def parsed(*arguments: str) -> dict[str, Any]:
    context = inspect.make_context("inspect", list(arguments))
    return given_settings(context.params)


def test_every_setting_has_an_option_with_help() -> None:
    options = {str(option.name) for option in inspect.params}
    fields = set(InspectionSettings.model_fields) - {"realtime_auto_actions"}
    nested = {"realtime_disable", "realtime_enable", "realtime_delete"}

    assert options - NOT_SETTINGS == fields | nested == set(HELP)


def test_what_is_not_given_is_not_sent() -> None:
    assert parsed() == {}


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        (("--account-source", "api_key"), {"accountSource": "api_key"}),
        (("--target-type", "compat"), {"targetType": "compat"}),
        (("--workers", "4"), {"workers": 4}),
        (("--brake-share", "0.25"), {"brakeShare": 0.25}),
        (("--no-brake",), {"brake": False}),
        (("--models-path", "/models"), {"modelsPath": "/models"}),
        (("--realtime-disable", "--no-realtime-enable"), {"realtimeAutoActions": {"disable": True, "enable": False}}),
    ],
)
def test_an_option_becomes_the_setting_of_that_name(arguments: tuple[str, ...], sent: dict[str, Any]) -> None:
    assert parsed(*arguments) == sent
    assert parse_settings(sent).as_stored().keys() >= sent.keys()


def test_a_value_that_is_not_among_the_choices_is_refused_with_the_choices() -> None:
    with pytest.raises(click.BadParameter, match="'oauth', 'api_key'"):
        parsed("--account-source", "apikey")


def test_the_key_is_never_an_option() -> None:
    spelled = {spelling for option in inspect.params for spelling in option.opts}

    assert not [
        spelling for spelling in spelled if "key" in spelling and spelling not in {"--key-file", "--api-key-family"}
    ]
