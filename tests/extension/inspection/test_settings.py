from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.settings import SETTING_NAMES, InspectionSettings, SettingsError, parse_settings

DEFAULTS = {
    "accountSource": "oauth",
    "targetType": "all",
    "apiKeyFamily": "all",
    "providerFilter": "",
    "probeModel": "",
    "probePromptMode": "fixed",
    "modelsPath": "auto",
    "autoActionMode": "none",
    "realtimeAutoActions": {"disable": True, "enable": True, "delete": False},
    "decisionPolicy": "first_phase",
    "onQuota": "keep",
    "onServerError": "keep",
    "workers": 32,
    "timeoutSeconds": 15,
    "retries": 1,
    "hostLimit": 0,
    "sampleSize": 0,
    "evidenceFirst": False,
    "evidenceChecks": True,
    "checkDepth": "connectivity",
    "shortWindowPercent": 100,
    "longWindowPercent": 100,
    "brake": True,
    "brakeShare": 0.5,
    "brakeMinimum": 20,
    "disableLimit": 0.5,
    "disableMinimum": 20,
    "keepAtLeast": 0,
    "familyDefaultAddress": False,
    "previewCharacters": 280,
}

ALLOWED: list[tuple[str, list[Any]]] = [
    ("accountSource", ["oauth", "api_key"]),
    ("probePromptMode", ["fixed", "math", "random"]),
    ("modelsPath", ["auto", "/v1/models", "/models"]),
    ("decisionPolicy", ["first_phase", "configurable"]),
    ("evidenceChecks", [True, False]),
    ("checkDepth", ["connectivity", "usable"]),
    ("onQuota", ["keep", "disable"]),
    ("onServerError", ["keep", "disable"]),
    ("workers", [1, 256]),
    ("shortWindowPercent", [0, 80, 100]),
    ("longWindowPercent", [0, 80, 100]),
    ("timeoutSeconds", [1, 120]),
    ("retries", [0, 5]),
    ("sampleSize", [0, 10_000]),
    ("brake", [True, False]),
    ("brakeShare", [0, 0.25, 1]),
    ("brakeMinimum", [0, 500]),
    ("disableLimit", [0, 0.25, 1]),
    ("disableMinimum", [0, 500]),
    ("keepAtLeast", [0, 1, 500]),
    ("familyDefaultAddress", [True, False]),
    ("previewCharacters", [0, 4000]),
]

REFUSED = [
    ("accountSource", "file"),
    ("targetType", ""),
    ("probePromptMode", "poem"),
    ("modelsPath", "/v2/models"),
    ("autoActionMode", "strategy7"),
    ("decisionPolicy", "lenient"),
    ("onQuota", "delete"),
    ("onServerError", "enable"),
    ("workers", 0),
    ("workers", 257),
    ("workers", "32"),
    ("workers", True),
    ("timeoutSeconds", 0),
    ("timeoutSeconds", 121),
    ("retries", -1),
    ("retries", 6),
    ("sampleSize", -1),
    ("hostLimit", 257),
    ("evidenceFirst", 1),
    ("brake", 1),
    ("brakeShare", 1.1),
    ("brakeShare", float("nan")),
    ("brakeMinimum", -1),
    ("disableLimit", -0.1),
    ("disableMinimum", 2.5),
    ("familyDefaultAddress", "yes"),
    ("previewCharacters", 4001),
    ("probeModel", "two\nlines"),
    ("realtimeAutoActions", []),
    ("unheardOf", 1),
    ("account_source", "oauth"),
]


def test_an_empty_request_means_the_defaults() -> None:
    assert parse_settings({}).as_stored() == DEFAULTS


def test_the_names_are_those_of_the_page() -> None:
    assert set(SETTING_NAMES) == set(DEFAULTS)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in ALLOWED for value in values])
def test_an_allowed_value_is_kept_as_it_was_sent(name: str, value: Any) -> None:
    assert parse_settings({name: value}).as_stored()[name] == value


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_value_out_of_range_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(SettingsError) as refused:
        parse_settings({name: value})

    assert refused.value.field == name
    assert str(refused.value)


def test_what_was_stored_reads_back_as_the_same_settings() -> None:
    settings = parse_settings({"accountSource": "api_key", "targetType": "compat", "providerFilter": "relay"})

    assert parse_settings(settings.as_stored()) == settings


@pytest.mark.parametrize("mode", ["none", "disable", "delete", "strategy4", "strategy5", "strategy6"])
def test_oauth_files_know_every_mode(mode: str) -> None:
    assert parse_settings({"autoActionMode": mode}).auto_action_mode == mode


@pytest.mark.parametrize("mode", ["delete", "strategy4", "strategy5", "strategy6"])
def test_api_keys_know_no_mode_that_could_delete(mode: str) -> None:
    with pytest.raises(SettingsError, match="none, disable"):
        parse_settings({"accountSource": "api_key", "autoActionMode": mode})


@pytest.mark.parametrize(("source", "stays_on"), [("api_key", False), ("oauth", True)])
def test_deleting_in_real_time_is_switched_off_for_api_keys_whatever_was_sent(source: str, stays_on: bool) -> None:
    settings = parse_settings({"accountSource": source, "realtimeAutoActions": {"delete": True, "enable": False}})

    assert settings.realtime_auto_actions.delete is stays_on
    assert settings.realtime_auto_actions.enable is False


@pytest.mark.parametrize(
    ("sent", "family"),
    [
        ({"targetType": "vendor-b-apikey"}, "vendor-b-apikey"),
        ({"apiKeyFamily": "compat"}, "compat"),
        ({"targetType": "compat", "apiKeyFamily": "all"}, "compat"),
        ({}, "all"),
    ],
)
def test_the_target_type_carries_the_family_under_api_key(sent: dict[str, str], family: str) -> None:
    settings = parse_settings({"accountSource": "api_key", **sent})

    assert (settings.target_type, settings.api_key_family) == (family, family)


def test_a_type_of_files_is_no_family() -> None:
    assert parse_settings({"targetType": "claude"}).target_type == "claude"
    with pytest.raises(SettingsError) as refused:
        parse_settings({"accountSource": "api_key", "targetType": "claude"})

    assert refused.value.field == "targetType"


@pytest.mark.parametrize("sent", [{"apiKeyFamily": "claude"}, {"apiKeyFamily": "claude", "targetType": "all"}])
def test_what_is_no_family_is_refused_by_its_own_name(sent: dict[str, str]) -> None:
    with pytest.raises(SettingsError) as refused:
        parse_settings({"accountSource": "api_key", **sent})

    assert refused.value.field == "apiKeyFamily"


@pytest.mark.parametrize("target", ["all", "vendor-a-apikey"])
def test_beside_a_target_type_the_family_does_not_count(target: str) -> None:
    settings = parse_settings({"accountSource": "api_key", "apiKeyFamily": "compat", "targetType": target})

    assert (settings.target_type, settings.api_key_family) == (target, target)


def test_an_unknown_name_inside_the_real_time_switches_is_named_with_its_place() -> None:
    with pytest.raises(SettingsError) as refused:
        parse_settings({"realtimeAutoActions": {"restart": True}})

    assert refused.value.field == "realtimeAutoActions.restart"


def test_settings_cannot_be_changed_after_they_were_read() -> None:
    with pytest.raises(ValueError, match="frozen"):
        parse_settings({}).workers = 3


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def settings_or_error(sent: dict[str, Any]) -> InspectionSettings | SettingsError:
    try:
        return parse_settings(sent)
    except SettingsError as error:
        return error


@given(st.dictionaries(st.sampled_from(sorted(DEFAULTS)) | st.text(max_size=8), JSON_VALUES, max_size=4))
def test_any_mapping_gives_settings_or_an_error_that_names_what_was_sent(sent: dict[str, Any]) -> None:
    settings = settings_or_error(sent)

    if isinstance(settings, SettingsError):
        assert str(settings)
        assert settings.field in sent or settings.field.partition(".")[0] in {*sent, "targetType"}
    else:
        assert parse_settings(settings.as_stored()) == settings
