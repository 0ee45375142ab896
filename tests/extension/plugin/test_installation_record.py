"""A removal puts every byte of the configuration back, in any style, unless a person changed the section meanwhile."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from adapter.rules.config_text import config_values
from extension.plugin.install.config_edit import enabled_text
from extension.plugin.install.installation_record import Installation, record_path, text_without_plugin
from extension.plugin.install.placement import disabled_config, enabled_config

SETTINGS = {"command": ["/opt/bin/poolkeeper", "plugin", "serve"], "management-key-file": "/g/key"}
OTHER = "{enabled: true, level: 'a, {b}'}"
TEXTS = (
    "",
    "port: 1",
    "port: 1\n\n# end\n",
    "plugins: {}\n",
    "plugins: {}",
    "port: 1\nplugins: {} # mine\nhost: x\n",
    "plugins:   {  }   # odd blanks\n",
    "plugins: {configs: {}}\n",
    "plugins: { configs : { } }",
    "plugins: { enabled: true }\n# c\n",
    "plugins: { enabled: no } # off\nx: 1\n",
    "plugins: {dir: p, configs: {other: " + OTHER + "}, enabled: false}\n",
    "plugins: {\n  # first\n  enabled: false, # second\n  configs: {\n    other: {a: 1}, # third\n  },\n}\nport: 2\n",
    "plugins:\n  configs: {other: {enabled: true}, more: {}}\n  enabled: true\n",
    "plugins:\n  configs: {}\n",
    "plugins:\n  enabled: true # yes\n  configs: # all\n    other:\n      enabled: true\n",
    "plugins:\n  # comment alone\nx: 1\n",
    "plugins: ~\n",
    "{port: 1, plugins: {}}\n",
    "{port: 1, plugins: {configs: {other: {a: [1, 2]}}}}",
    "a: &x {enabled: false}\nplugins: {configs: {}}\nb: *x\n",
    "größe: ✓\nplugins: {configs: {}, enabled: True}\n",
)


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


@pytest.mark.parametrize("text", [*TEXTS, *map(crlf, TEXTS), *("\ufeff" + text for text in TEXTS)])
def test_an_installation_and_a_removal_leave_every_byte(tmp_path: Path, text: str) -> None:
    config = tmp_path / "config.yaml"
    config.write_bytes(text.encode())

    with ExitStack() as undo:
        assert enabled_config(config, SETTINGS, undo)
        undo.pop_all()
    assert config_values(config.read_text("utf-8").removeprefix("\ufeff"))["plugins"]["configs"]["poolkeeper"]
    assert record_path(config).stat().st_mode & 0o777 == 0o600
    with ExitStack() as undo:
        assert disabled_config(config, undo)
        undo.pop_all()

    assert config.read_bytes() == text.encode()
    assert [path.name for path in tmp_path.iterdir()] == ["config.yaml"]


def test_a_second_installation_keeps_the_text_before_the_first(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("plugins: { configs: {} }\n", encoding="utf-8")
    with ExitStack() as undo:
        enabled_config(config, SETTINGS, undo)
        enabled_config(config, {**SETTINGS, "command": ["/newer/poolkeeper"]}, undo)
        disabled_config(config, undo)
        undo.pop_all()

    assert config.read_text("utf-8") == "plugins: { configs: {} }\n"


def test_settings_of_an_earlier_installation_do_not_come_back(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    settings = "{enabled: true, command: [a], workers: 3}"
    config.write_text(f"plugins: {{configs: {{poolkeeper: {settings}}}}}\n", encoding="utf-8")
    with ExitStack() as undo:
        enabled_config(config, SETTINGS, undo)
        assert not record_path(config).exists()
        disabled_config(config, undo)
        undo.pop_all()

    assert "poolkeeper" not in config.read_text("utf-8")


BY_HAND = (
    "plugins:\n  enabled: false\n  configs:\n    poolkeeper: # mine\n      enabled: false # no\n      workers: 3\n",
    "plugins:\n  configs:\n    poolkeeper:\n      log-level: debug",
    "plugins: {configs: {other: {a: 1}, poolkeeper: { workers: 3 }}} # mine\n",
    "plugins:\n  configs:\n    poolkeeper: {}\n    other: {enabled: true}\nport: 1\n",
    "plugins:\n  configs:\n    poolkeeper:\nport: 1\n",
)


@pytest.mark.parametrize("text", [*BY_HAND, *map(crlf, BY_HAND)])
def test_a_part_that_was_made_by_hand_before_comes_back(tmp_path: Path, text: str) -> None:
    config = tmp_path / "config.yaml"
    config.write_bytes(text.encode())
    with ExitStack() as undo:
        enabled_config(config, SETTINGS, undo)
        enabled_config(config, {**SETTINGS, "command": ["/newer/poolkeeper"]}, undo)
        assert disabled_config(config, undo)
        undo.pop_all()

    assert config.read_bytes() == text.encode()


def test_a_removal_that_was_killed_before_its_end_leaves_what_it_put_back(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    record = Installation.between(BY_HAND[0], enabled_text(BY_HAND[0], SETTINGS))

    assert text_without_plugin(BY_HAND[0], record) == BY_HAND[0]
    config.write_text(BY_HAND[0], encoding="utf-8")
    with ExitStack() as undo:
        record_path(config).write_text("{}", encoding="utf-8")
        enabled_config(config, SETTINGS, undo)
        disabled_config(config, undo)
        undo.pop_all()
    assert config.read_text("utf-8") == BY_HAND[0]


@pytest.mark.parametrize("before", ["plugins: {}\n", "plugins: {dir: p}\n", "port: 1\n"])
def test_changed_settings_of_ours_go_with_the_parent_that_was_added(before: str) -> None:
    after = enabled_text(before, SETTINGS)
    record = Installation.between(before, after)
    changed = after.replace("/g/key", "/g/other")

    left = config_values(text_without_plugin(changed, record))["plugins"]

    assert left == {**(config_values(before).get("plugins") or {}), "enabled": True}


def test_an_empty_parent_that_a_gateway_left_goes_too() -> None:
    before = "plugins: {}\n"
    record = Installation.between(before, enabled_text(before, SETTINGS))

    assert text_without_plugin("plugins:\n  configs: {}\n  enabled: true\n", record) == "plugins:\n  enabled: true\n"


def test_a_plugin_that_was_added_since_stays_enabled() -> None:
    before = "plugins:\n  configs:\n    other: {enabled: true}\n"
    after = enabled_text(before, SETTINGS)
    record = Installation.between(before, after)
    added = after + "    third: {enabled: true}\n"

    left = config_values(text_without_plugin(added, record))["plugins"]

    assert left == {"enabled": True, "configs": {"other": {"enabled": True}, "third": {"enabled": True}}}


def test_what_was_changed_elsewhere_stays() -> None:
    before = "port: 1\nplugins: { enabled: false } # mine\nhost: x\n"
    record = Installation.between(before, after := enabled_text(before, SETTINGS))

    left = text_without_plugin(after.replace("port: 1", "port: 2").replace("host: x", "host: y\nz: 1"), record)

    assert left == "port: 2\nplugins: { enabled: false } # mine\nhost: y\nz: 1\n"


def test_a_record_that_cannot_be_read_is_as_good_as_none(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    record_path(config).write_text('{"before": 1', encoding="utf-8")

    assert Installation.read(config) is None


_SCALARS = st.one_of(st.booleans(), st.integers(), st.none(), st.text(max_size=8))
_TREES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abü-", min_size=1), inner, max_size=3),
)
_PLUGINS = st.fixed_dictionaries(
    {},
    optional={
        "enabled": st.booleans(),
        "dir": st.text(max_size=5),
        "configs": st.dictionaries(st.sampled_from(["other", "more"]), _TREES, max_size=2),
    },
)


def _text(whole: dict[str, Any], style: dict[str, Any], ends: str, *, final: bool) -> str:
    text = str(yaml.safe_dump(whole, sort_keys=False, allow_unicode=True, **style))
    return (text if final else text.rstrip("\n")).replace("\n", ends)


_WHOLES = st.builds(
    lambda before, plugins, after: {**before, **plugins, **after},
    st.dictionaries(st.text("xyz", min_size=1), _TREES, max_size=3),
    st.fixed_dictionaries({}, optional={"plugins": _PLUGINS}),
    st.dictionaries(st.text("uvw", min_size=1), _TREES, max_size=3),
)
_STYLES = st.fixed_dictionaries(
    {"default_flow_style": st.sampled_from([False, None, True]), "width": st.sampled_from([20, 80, 1000])}
)


@given(text=st.builds(_text, _WHOLES, _STYLES, st.sampled_from(["\n", "\r\n"]), final=st.booleans()))
def test_any_configuration_is_the_same_after_an_installation_and_a_removal(text: str) -> None:
    assume("plugins" in text or not text.startswith("{"))  # such a text is refused, with the words to write by hand

    installed = enabled_text(text, SETTINGS)

    assert text_without_plugin(installed, Installation.between(text, installed)) == text
