"""Every setting of an inspection can be given on the command line, and nothing else is sent."""

from typing import Any

import click
import pytest

from extension.cli.errors import CommandError
from extension.cli.parsing.settings_options import HELP, flag_of, given_settings, overlaid, require_valid, with_flag
from extension.cli.run import start
from extension.inspection.settings import InspectionSettings, parse_settings

NOT_SETTINGS = {"only", "as_json", "key_file", "config", "data_dir", "server", "gateway", "pool", "all_rows"}


def parsed(*arguments: str) -> dict[str, Any]:
    context = start.make_context("start", list(arguments))
    return given_settings(context.params)


def test_every_setting_has_an_option_with_help() -> None:
    options = {str(option.name) for option in start.params}
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
    spelled = {spelling for option in start.params for spelling in option.opts}

    assert not [spelling for spelling in spelled if "key" in spelling and spelling != "--key-file"]


@pytest.mark.parametrize("value", ["claude", "Claude", "vendor-b-apikey"])
def test_a_family_is_named_by_vendor_or_token_and_selects_api_keys(value: str) -> None:
    assert parsed("--family", value) == {"accountSource": "api_key", "targetType": "vendor-b-apikey"}


def test_a_vendor_is_a_family_of_api_keys_and_a_type_of_files() -> None:
    assert parsed("--account-source", "api-key", "--target-type", "claude")["targetType"] == "vendor-b-apikey"
    assert parsed("--account-source", "oauth", "--target-type", "claude")["targetType"] == "claude"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--family", "claud"), "Did you mean claude"),
        (("--account-source", "api_key", "--target-type", "vertx"), "Did you mean vertex"),
        (("--account-source", "oauth", "--family", "claude"), "--target-type"),
        (("--target-type", "codex", "--family", "claude"), "contradict"),
        (("--wrkers", "3"), "Did you mean --workers"),
        (("--on-quota", "kep"), "Did you mean keep"),
    ],
)
def test_a_mistake_is_refused_with_the_closest_value(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(click.UsageError) as refused:
        parsed(*arguments)
    assert message in refused.value.format_message()


@pytest.mark.parametrize(
    ("settings", "flag"),
    [
        ({"workers": 0}, "--workers: it must be at least 1"),
        ({"brakeShare": 2.0}, "--brake-share: "),
        ({"accountSource": "api_key", "autoActionMode": "delete"}, "--auto-action-mode: "),
        ({"realtimeAutoActions": {"disable": 3}}, "--realtime-disable: "),
    ],
)
def test_an_unusable_setting_is_refused_with_its_option(settings: dict[str, Any], flag: str) -> None:
    with pytest.raises(CommandError) as refused:
        require_valid(settings)
    assert refused.value.message.startswith(flag)


def test_a_refusal_of_the_service_names_the_option_of_a_known_field_only() -> None:
    refusal = "hostLimit: it must be at most 1. Correct hostLimit, or leave it out for its default."
    assert with_flag(refusal) == ("--host-limit: it must be at most 1. Correct it, or leave it out for its default.")
    assert with_flag("cron: it is odd. Correct cron in the body.") == "--cron: it is odd. Correct it."
    assert with_flag("nowhere: it is odd.") == "nowhere: it is odd."
    assert flag_of("speed") is None


def test_changed_settings_keep_the_others_and_a_new_source_drops_the_old_type() -> None:
    stored = parse_settings({"accountSource": "api_key", "targetType": "compat", "workers": 3}).as_stored()
    changed = overlaid(stored, parsed("--no-realtime-disable"))
    assert changed["realtimeAutoActions"] == {**stored["realtimeAutoActions"], "disable": False}
    assert (changed["workers"], changed["targetType"]) == (3, "compat")
    moved = parse_settings(overlaid(stored, parsed("--account-source", "oauth")))
    assert (moved.target_type, moved.api_key_family, moved.workers) == ("all", "all", 3)
    assert parse_settings(overlaid(stored, parsed("--family", "codex"))).api_key_family == "vendor-c-apikey"
    of_a_family = parse_settings({"accountSource": "api_key", "targetType": "compat"}).as_stored()
    assert parse_settings(overlaid(of_a_family, parsed("--family", "all"))).api_key_family == "all"
