"""Section `plugins` of a config.yaml: appended by an installation where there is none, cut out again by a removal.

A section that is there already belongs to a person and is never edited.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import yaml

from adapter.rules.config_text import ConfigTextInvalid, config_values, section

PLUGIN: Final = "poolkeeper"
OWN_SECTION: Final = ("plugins", "configs", PLUGIN)
_MARK: Final = "# Added by `poolkeeper plugin install`; `poolkeeper plugin remove` deletes this section."
_BLOCK: Final = re.compile(rf"^{re.escape(_MARK)}\nplugins:[ ]*\n(?:[ \t][^#\n]*(?:\n|\Z))+", re.MULTILINE)
_PIN: Final = "store"
"""Setting of a gateway's plugin store that pins a version, so that another library is not loaded."""


def block(settings: Mapping[str, Any]) -> str:
    """Return the lines that enable the plugin with these settings."""
    values = {"plugins": {"enabled": True, "configs": {PLUGIN: {"enabled": True, **settings}}}}
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=10_000)


def is_enabled(values: Mapping[str, Any], settings: Mapping[str, Any]) -> bool:
    """Return whether a configuration enables the plugin with these settings, and pins no version of it."""
    settings_now = section(values, *OWN_SECTION)
    effective = {"enabled": True, **settings}
    enabled = section(values, "plugins").get("enabled") is True
    return (
        enabled
        and _PIN not in settings_now
        and all(settings_now.get(name) == value for name, value in effective.items())
    )


def with_block(text: str, settings: Mapping[str, Any]) -> str | None:
    """Return a configuration with the section at its end; None where it cannot be appended.

    A section of an earlier installation is replaced, and keeps its other settings but for a pin.
    """
    if (rest := without_block(text)) is not None:
        former = section(config_values(text), *OWN_SECTION)
        settings = {**{name: value for name, value in former.items() if name not in {"enabled", _PIN}}, **settings}
        text = rest
    values = _values(text)
    if values is None or "plugins" in values:
        return None
    lines = block(settings)
    line_end = "" if not text or text.endswith("\n") else "\n"
    longer = f"{text}{line_end}{_MARK}\n{lines}"
    return longer if _values(longer) == {**values, **config_values(lines)} else None


def without_block(text: str) -> str | None:
    """Return a configuration without the section that an installation appended; None where that is not there alone."""
    values, match = _values(text), _BLOCK.search(text)
    if values is None or match is None or _has_others(section(values, "plugins")):
        return None
    shorter = text[: match.start()] + text[match.end() :]
    return shorter if _values(shorter) == {name: value for name, value in values.items() if name != "plugins"} else None


def _has_others(plugins: Mapping[str, Any]) -> bool:
    """Return whether a section says more than that the plugin is enabled."""
    return set(plugins) - {"enabled", "configs"} != set() or set(section(plugins, "configs")) != {PLUGIN}


def _values(text: str) -> dict[Any, Any] | None:
    try:
        return config_values(text)
    except ConfigTextInvalid:
        return None
