"""The section `plugins` of a config.yaml: appended where there is none, cut out again, and never edited."""

import pytest

from adapter.rules.config_text import config_values
from extension.plugin.install.config_block import block, is_enabled, with_block, without_block

SETTINGS = {"command": ["/opt/ein weg/poolkeeper", "plugin", "serve"], "management-key-file": "/g/schlüssel"}
HEAD = "# mine\nport: 1 # here\n\napi-keys:\n  - one\n"


@pytest.mark.parametrize("text", ["", HEAD, HEAD + "# end\n", "\ufeffport: 1\n", HEAD.replace("\n", "\r\n")])
def test_a_text_without_the_section_gets_it_and_is_itself_again_after_a_removal(text: str) -> None:
    longer = with_block(text, SETTINGS)

    assert longer is not None
    assert longer.startswith(text)
    assert is_enabled(config_values(longer), SETTINGS)
    assert config_values(longer) == {**config_values(text), **config_values(block(SETTINGS))}
    assert with_block(longer, SETTINGS) == longer
    assert without_block(longer) == text


def test_a_text_without_a_last_line_end_gets_one() -> None:
    longer = with_block("port: 1", SETTINGS)

    assert longer is not None
    assert without_block(longer) == "port: 1\n"


@pytest.mark.parametrize("text", ["plugins:\n", "plugins: {}\n", '{"port": 1}\n', "port: 1\n...\n", "- a\n", "a: {"])
def test_a_text_that_nothing_can_be_appended_to_is_left_alone(text: str) -> None:
    assert with_block(text, SETTINGS) is None
    assert without_block(text) is None


def test_lines_below_the_section_stay_at_a_removal() -> None:
    longer = with_block(HEAD, SETTINGS)

    assert longer is not None
    assert without_block(longer + "host: x\n  # mine\n") == HEAD + "host: x\n  # mine\n"


@pytest.mark.parametrize(
    "added",
    ["    another:\n      enabled: true\n", "  dir: mine\n", "\n  dir: mine\n", "      # mine\n      workers: 3\n"],
    ids=["plugin", "key", "gap", "comment"],
)
def test_a_section_that_a_person_has_extended_is_not_cut_out(added: str) -> None:
    longer = with_block(HEAD, SETTINGS)

    assert longer is not None
    assert without_block(longer + added) is None
    assert with_block(longer + added, SETTINGS) is None


def test_another_installation_replaces_the_section_and_keeps_its_other_settings() -> None:
    longer = with_block(HEAD, {"command": ["/former"], "workers": 3, "store": {"version": "0.0.1"}})

    assert longer is not None
    again = with_block(longer + "host: x\n", SETTINGS)
    assert again is not None
    assert again.startswith(HEAD + "host: x\n")
    own = config_values(again)["plugins"]["configs"]["poolkeeper"]
    assert own == {"enabled": True, "workers": 3, **SETTINGS}


@pytest.mark.parametrize(
    ("own", "enabled"),
    [({}, True), ({"enabled": False}, False), ({"store": {"version": "0.0.1"}}, False), ({"command": ["x"]}, False)],
)
def test_a_plugin_is_enabled_with_its_settings_and_without_a_pin(own: dict[str, object], *, enabled: bool) -> None:
    configs = {"poolkeeper": {"enabled": True, "workers": 3, **SETTINGS, **own}}

    assert is_enabled({"plugins": {"enabled": True, "configs": configs}}, SETTINGS) is enabled
    assert not is_enabled({"plugins": {"configs": configs}}, SETTINGS)
