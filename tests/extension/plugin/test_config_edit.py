from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from adapter.rules.config_text import config_values
from extension.plugin.install.config_edit import EditRefused, enabled_text, removed_text

SETTINGS = {"command": ["/opt/bin/poolkeeper", "plugin", "serve"], "management-key-file": "/g/key"}
TEXTS = (
    "",
    "port: 1\n# end",
    (
        "port: 1\nplugins:\n  # mine\n  enabled: false # no\n  configs:\n    other:\n      enabled: true\n"
        "    poolkeeper:\n      store:\n        version: 1\n        artifacts:\n          - a\n"
        "      enabled: false\n      # keep\n"
        "      workers: 3\n\n# tail\nhost: x\n"
    ),
    "plugins: {}\n",
    "plugins: {enabled: true, configs: {poolkeeper: {store: {version: 1}}}}\nx: 1\n",
    "plugins:\nx: 1\n",
    "plugins:\n  configs:\nx: 2",
    "plugins:\n  enabled: true\n  configs: {}\n# c\n",
    'plugins:\n  dir: "p"\n',
    "\ufeffport: 1\nplugins:\n  enabled: false\n",
    (
        "# größe ✓\nname: ü✓\nplugins:\n  configs:\n"
        "    poolkeeper:\n      command:\n        - a\n        # b\n        - c\nü: 1\n"
    ),
)


@pytest.mark.parametrize("text", TEXTS)
def test_the_plugin_is_enabled_with_its_settings_and_without_a_pin(text: str) -> None:
    plugins = config_values(enabled_text(text, SETTINGS))["plugins"]

    assert plugins["enabled"] is True
    own = plugins["configs"]["poolkeeper"]
    assert own["enabled"] is True
    assert "store" not in own
    assert SETTINGS.items() <= own.items()


@pytest.mark.parametrize("text", TEXTS)
def test_a_second_edit_changes_nothing(text: str) -> None:
    once = enabled_text(text, SETTINGS)

    assert enabled_text(once, SETTINGS) == once


@pytest.mark.parametrize("text", TEXTS)
def test_what_stands_outside_the_section_keeps_every_byte(text: str) -> None:
    def outside(whole: str) -> list[str]:
        kept, inside = [], False
        for line in whole.splitlines():
            if line and not line.startswith((" ", "#")):
                inside = line.startswith("plugins:")
            if not inside or line.startswith("#"):
                kept.append(line)
        return [line for line in kept if line]

    assert outside(enabled_text(text, SETTINGS)) == outside(text)


def test_comments_and_other_settings_of_the_section_stay() -> None:
    edited = enabled_text(TEXTS[2], SETTINGS)

    for line in ("  # mine\n", "  enabled: true # no\n", "      # keep\n", "      workers: 3\n", "    other:\n"):
        assert line in edited


def test_removing_leaves_other_plugins() -> None:
    configs = config_values(removed_text(enabled_text(TEXTS[2], SETTINGS)))["plugins"]["configs"]

    assert configs == {"other": {"enabled": True}}


@pytest.mark.parametrize(
    "text", ["plugins: [1]\n", "- a\n", "{", "a: &x {b: 1}\nplugins: *x\n", "a: 1\n...\n", "a: 1\n---\nb: 2\n"]
)
def test_a_text_that_cannot_be_edited_safely_is_refused_without_quoting_it(text: str) -> None:
    with pytest.raises(EditRefused) as refused:
        enabled_text(text, SETTINGS)

    assert text not in str(refused.value)


_SCALARS = st.one_of(st.booleans(), st.integers(), st.none(), st.text(max_size=12))
_TREES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abü-", min_size=1), inner, max_size=3),
)
_PLUGINS = st.fixed_dictionaries(
    {},
    optional={
        "enabled": st.booleans(),
        "dir": st.text(max_size=5),
        "configs": st.dictionaries(
            st.sampled_from(["poolkeeper", "other"]),
            st.dictionaries(st.sampled_from(["enabled", "store", "workers"]), _TREES, max_size=3),
        ),
    },
)


@given(
    before=st.dictionaries(st.text("xyz", min_size=1), _TREES, max_size=3),
    plugins=_PLUGINS,
    after=st.dictionaries(st.text("uvw", min_size=1), _TREES, max_size=3),
    flow=st.sampled_from([False, None, True]),
)
def test_any_configuration_means_the_same_outside_the_section(
    before: dict[str, Any], plugins: dict[str, Any], after: dict[str, Any], flow: bool | None
) -> None:
    whole = {**before, "plugins": plugins, **after}
    text = yaml.safe_dump(whole, sort_keys=False, default_flow_style=flow, allow_unicode=True)

    edited = config_values(enabled_text(text, SETTINGS))

    assert {**edited, "plugins": 0} == {**config_values(text), "plugins": 0}
    assert edited["plugins"]["configs"]["poolkeeper"]["enabled"] is True


@pytest.mark.parametrize("before", ["port: 1\n", "port: 1\nplugins:\n  enabled: false\n  dir: other\n"])
def test_a_parent_that_the_installation_added_goes_with_the_plugin(before: str) -> None:
    assert "configs" not in removed_text(enabled_text(before, {"command": ["x"]}))


@pytest.mark.parametrize(
    "before",
    [
        "plugins:\n  configs:\n    poolkeeper:\n      enabled: true\n  enabled: true\n",
        "plugins:\n  configs: # mine\n    poolkeeper:\n      enabled: false\n",
        "plugins:\n  configs:\n",
        "plugins:\n  configs: {}\n",
    ],
)
def test_a_parent_that_a_person_wrote_stays(before: str) -> None:
    assert "  configs:" in removed_text(enabled_text(before, {"command": ["x"]}))


def test_a_parent_that_holds_another_plugin_by_now_stays() -> None:
    installed = enabled_text("port: 1\n", {"command": ["x"]})
    shared = installed.replace("    poolkeeper:\n", "    other:\n      enabled: true\n    poolkeeper:\n")
    assert config_values(removed_text(shared))["plugins"]["configs"] == {"other": {"enabled": True}}
